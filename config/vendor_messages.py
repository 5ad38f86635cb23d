"""Messages of Django and allauth that users see, listed for our own translation catalogues.

A message listed here is translated in our catalogues, which take precedence over those of the
packages. `locale/en` rewords some of them in English.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

# Messages of Django's form fields and password validators.
DJANGO_MESSAGES: Final = (
    _("Enter a valid value."),
    _("Enter a valid URL."),
    _("Enter a valid integer."),
    _("Enter a valid email address."),
    _("Enter a number."),
    _("Enter a whole number."),
    _("Enter a valid date."),
    _("Enter a valid time."),
    _("Enter a valid date/time."),
    _("Enter a list of values."),
    _("Enter a complete value."),
    _("Ensure this value is %(limit_value)s (it is %(show_value)s)."),
    _("Ensure this value is less than or equal to %(limit_value)s."),
    _("Ensure this value is greater than or equal to %(limit_value)s."),
    _("No file was submitted. Check the encoding type on the form."),
    _("Please either submit a file or check the clear checkbox, not both."),
    _("Upload a valid image. The file you uploaded was either not an image or a corrupted image."),
    _("Select a valid choice. %(value)s is not one of the available choices."),
    _("Select a valid choice. That choice is not one of the available choices."),
    _(
        "Enter a valid username. This value may contain only letters, numbers, and "
        "@/./+/-/_ characters."
    ),
    _("Enter the same password as before, for verification."),
    _(
        "Please enter a correct %(username)s and password. Note that both fields may be "
        "case-sensitive."
    ),
    _("Your old password was entered incorrectly. Please enter it again."),
    _("Your password can’t be too similar to your other personal information."),
    _("Your password can’t be a commonly used password."),
    _("Your password can’t be entirely numeric."),
)

# Messages of Django with singular and plural.
DJANGO_PLURALS: Final = (
    ngettext_lazy(
        "Ensure this value has at least %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at least %(limit_value)d characters (it has %(show_value)d).",
        "count",
    ),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
        "count",
    ),
    ngettext_lazy(
        "Ensure this filename has at most %(max)d character (it has %(length)d).",
        "Ensure this filename has at most %(max)d characters (it has %(length)d).",
        "count",
    ),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
        "count",
    ),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "count",
    ),
)

# Messages of allauth in pages, emails and notices.
ALLAUTH_MESSAGES: Final = (
    _("You cannot remove your primary email address."),
    _("The email address and/or password you specified are not correct."),
    _("The username and/or password you specified are not correct."),
    _("Please type your current password."),
    _("Invalid login."),
    _("You cannot add more than %d email addresses."),
    _("Too many failed login attempts. Try again later."),
    _("Your primary email address must be verified."),
    _("Username can not be used. Please use other username."),
    _("Be patient, you are sending too many requests."),
    _("Use your password"),
    _("Use authenticator app or code"),
    _("Use a security key"),
    _("You cannot add an email address to an account protected by two-factor authentication."),
    _("You cannot deactivate two-factor authentication."),
    _("You cannot generate recovery codes without having two-factor authentication enabled."),
    _("You cannot activate two-factor authentication until you have verified your email address."),
    _("You must type the same password each time."),
    _("You must type the same email each time."),
    _("Username"),
    _("Username or email"),
    _("Forgot your password?"),
    _("Forgot Password?"),
    _("New Password"),
    _("New Password (again)"),
    _("Password (again)"),
    _("Backup key"),
    _("Key nr. {number}"),
    _("Passwordless"),
    _(
        "Enabling passwordless operation allows you to sign in using just this key, but "
        "imposes additional requirements such as biometrics or PIN protection."
    ),
    _("Key"),
    _("Sign In"),
    _("Sign Out"),
    _("Sign Up"),
    _("Signup"),
    _("Are you sure you want to sign out?"),
    _("Sign in with a passkey"),
    _("Send me a sign-in code"),
    _("If you have not created an account yet, then please %(link)ssign up%(end_link)s first."),
    _("Already have an account? Then please %(link)ssign in%(end_link)s."),
    _("Sign up using a passkey"),
    _("Passkey Sign Up"),
    _("Create Passkey"),
    _(
        "You are about to create a passkey for your account. As you can add additional "
        "keys later on, you can use a descriptive name to tell the keys apart."
    ),
    _("Sign Up Closed"),
    _("We are sorry, but the sign up is currently closed."),
    _("You are already logged in as %(user_display)s."),
    _("Enter Sign-In Code"),
    _("Other sign-in options"),
    _("You will receive a special code for a password-free sign-in."),
    _("Request Code"),
    _("Request new code"),
    _("We've sent a code to %(recipient)s. The code expires shortly, so please enter it soon."),
    _("Please reauthenticate to safeguard your account."),
    _("Enter your password:"),
    _("Alternative options"),
    _("The following email addresses are associated with your account:"),
    _("Make Primary"),
    _("Re-send Verification"),
    _("Do you really want to remove the selected email address?"),
    _("Warning:"),
    _(
        "You currently do not have any email address set up. You should really add an "
        "email address so you can receive notifications, reset your password, etc."
    ),
    _("Verify Your Email Address"),
    _(
        "We have sent an email to you for verification. Follow the link provided to "
        "finalize the signup process. If you do not see the verification email in your "
        "main inbox, check your spam folder. Please contact us if you do not receive the "
        "verification email within a few minutes."
    ),
    _(
        "This part of the site requires us to verify that\nyou are who you claim to be. "
        "For this purpose, we require that you\nverify ownership of your email address. "
    ),
    _(
        "We have sent an email to you for\nverification. Please click on the link inside "
        "that email. If you do not see the verification email in your main inbox, check "
        "your spam folder. Otherwise\ncontact us if you do not receive it within a few "
        "minutes."
    ),
    _("Enter Email Verification Code"),
    _("Use a different email address"),
    _("Your email address is still pending verification."),
    _(
        'Please confirm that <a href="mailto:%(email)s">%(email)s</a> is an email address '
        "for user %(user_display)s."
    ),
    _(
        "This email confirmation link expired or is invalid. Please <a "
        'href="%(email_url)s">issue a new email confirmation request</a>.'
    ),
    _("Password Reset"),
    _("Enter Password Reset Code"),
    _(
        "Forgotten your password? Enter your email address below, and we'll send you an "
        "email allowing you to reset it."
    ),
    _("Please contact us if you have any trouble resetting your password."),
    _(
        "We have sent you an email. If you have not received it please check your spam "
        "folder. Otherwise contact us if you do not receive it in a few minutes."
    ),
    _("Bad Token"),
    _(
        "The password reset link was invalid, possibly because it has already been used.  "
        'Please request a <a href="%(passwd_reset_url)s">new password reset</a>.'
    ),
    _("Your password is now changed."),
    _("Set Password"),
    _("Password Set"),
    _("Two-Factor Authentication"),
    _(
        "Your account is protected by two-factor authentication. Please enter an "
        "authenticator code:"
    ),
    _("Enter an authenticator code:"),
    _("Authentication using an authenticator app is active."),
    _("Security Keys"),
    _("No security keys have been added."),
    _("No recovery codes set up."),
    _("Manage"),
    _("View"),
    _("You are about to generate a new set of recovery codes for your account."),
    _("This action will invalidate your existing codes."),
    _("Are you sure?"),
    _("Unused codes"),
    _("Download codes"),
    _("Generate new codes"),
    _(
        "To protect your account with two-factor authentication, scan the QR code below "
        "with your authenticator app. Then, input the verification code generated by the "
        "app below."
    ),
    _("Authenticator secret"),
    _("You can store this secret and use it to reinstall your authenticator app at a later time."),
    _("Deactivate Authenticator App"),
    _("You are about to deactivate authenticator app based authentication. Are you sure?"),
    _("Trust this Browser?"),
    _(
        "If you choose to trust this browser, you will not be asked for a verification "
        "code the next time you sign in."
    ),
    _("Trust for %(period)s"),
    _("Don't Trust"),
    _("Add Security Key"),
    _("Edit Security Key"),
    _("Remove Security Key"),
    _("Are you sure you want to remove this security key?"),
    _("Passkey"),
    _("Security key"),
    _("This key does not indicate whether it is a passkey."),
    _("This functionality requires JavaScript."),
    _("Started At"),
    _("Last seen at"),
    _("You cannot remove your primary email address (%(email)s)."),
    _("Confirmation email sent to %(email)s."),
    _("You have confirmed %(email)s."),
    _("Successfully signed in as %(name)s."),
    _("You have signed out."),
    _("A sign-in code has been sent to %(recipient)s."),
    _("Password successfully changed."),
    _("Password successfully set."),
    _("Primary email address set."),
    _("A new set of recovery codes has been generated."),
    _("Save them  in a secure location now — they won't be shown again."),
    _("Security key added."),
    _("Security key removed."),
    _(
        "You are receiving this email because you or someone else tried to signup for an\n"
        "account using email address:\n\n%(email)s\n\nHowever, an account using that email "
        "address already exists.  In case you have\nforgotten about this, please use the "
        "password forgotten procedure to recover\nyour account:\n\n%(password_reset_url)s"
    ),
    _("You are receiving this mail because the following change was made to your account:"),
    _(
        "If you do not recognize this change then please take proper security precautions "
        "immediately. The change to your account originates from:\n\n- IP address: %(ip)s\n"
        "- Browser: %(user_agent)s\n- Date: %(timestamp)s"
    ),
    _("Your email has been changed from %(from_email)s to %(to_email)s."),
    _("Your email has been confirmed."),
    _(
        "You're receiving this email because user %(user_display)s has given your email "
        "address to register an account on %(site_domain)s."
    ),
    _("Your email verification code is listed below. Please enter it in your open browser window."),
    _("To confirm this is correct, go to %(activate_url)s"),
    _("Please Confirm Your Email Address"),
    _("Email address %(deleted_email)s has been removed from your account."),
    _("Your sign-in code is listed below. Please enter it in your open browser window."),
    _("This mail can be safely ignored if you did not initiate this action."),
    _("Sign-In Code"),
    _("Your password has been changed."),
    _("Your password reset code is listed below. Please enter it in your open browser window."),
    _("Password Reset Code"),
    _(
        "You're receiving this email because you or someone else has requested a password "
        "reset for your user account.\nIt can be safely ignored if you did not request a "
        "password reset. Click the link below to reset your password."
    ),
    _("In case you forgot, your username is %(username)s."),
    _("Password Reset Email"),
    _("Your password has been reset."),
    _("Your password has been set."),
    _(
        "You are receiving this email because you, or someone else, tried to access an "
        "account with email %(email)s. However, we do not have any record of such an "
        "account in our database."
    ),
    _("If it was you, you can sign up for an account using the link below."),
    _("A new set of Two-Factor Authentication recovery codes has been generated."),
    _("New Recovery Codes Generated"),
    _("A new security key has been added."),
    _("Security Key Added"),
    _("A security key has been removed."),
    _("Security Key Removed"),
)

# Messages of allauth with singular and plural.
ALLAUTH_PLURALS: Final = (
    ngettext_lazy(
        "You have added %(count)s security key.",
        "You have added %(count)s security keys.",
        "count",
    ),
    ngettext_lazy(
        "There is %(unused_count)s out of %(total_count)s recovery codes available.",
        "There are %(unused_count)s out of %(total_count)s recovery codes available.",
        "count",
    ),
)

# Label of allauth's field for a username or an email address.
ALLAUTH_LOGIN_FIELD: Final = pgettext_lazy("field label", "Login")
