"""Every text field of forms and API is cleaned, unless it is listed here with a reason.

The fields are found from the URL patterns, so a new form or endpoint is tested automatically.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django import forms
from django.contrib import admin
from django.test import RequestFactory
from django.urls import get_resolver
from rest_framework import serializers

from accounts.models import User
from corridas.admin.cards import RangeField

TYPED = " A\u0301\u200b \u202eb "
CLEANED = "Á b"
PACKAGES = (
    *("accounts", "actas", "api", "corridas", "dominoes", "eltoro", "events", "leagues", "search"),
)

KEY = "a key of something that exists, found as it is"
DOCUMENT = "a document that is parsed, with names that are cleaned one by one"
NOTATION = "a notation that is parsed"
SEED = "the same words give the same roster for ever"
EXCEPTIONS = {
    "AccountDeletionForm.username": "compared with the username as it is spelled",
    "BatchAsked.batch": KEY,
    "BoardForm.text": DOCUMENT,
    "BotAsked.bot": KEY,
    "BotSeat.bot": KEY,
    "CalendarEntry.starts": NOTATION,
    "ChangedLeague.profile": KEY,
    "ChangedLeague.zone": KEY,
    "CircuitSettingsAsked.zone": KEY,
    "DeckForm.cards": DOCUMENT,
    "FileSent.content": DOCUMENT,
    "FileSent.name": "findings repeat the name of the file as it is",
    "FoundingAsked.seed": SEED,
    "FoundingForm.seed": SEED,
    "ImportFile.content": DOCUMENT,
    "ImportFile.decisions": KEY,
    "ImportFile.plan": KEY,
    "AmongFriends.game": KEY,
    "AmongFriends.profile": KEY,
    "ModelForm.ip": "an address, which the admin shows for a session",
    "ModelForm.user_agent": "the browser's own text, which the admin shows for a session",
    "Moving.fields_of_form": NOTATION,
    "Moving.move": NOTATION,
    "NewEntry.text": NOTATION,
    "NewLeague.game": KEY,
    "NewLeague.profile": KEY,
    "NewLeague.zone": KEY,
    "NewTable.game": KEY,
    "NewTable.profile": KEY,
    "NewWebhook.url": "an address",
    "QuickTableForm.bot": KEY,
    "QuickTableForm.game": KEY,
    "RecordForm.text": DOCUMENT,
    "SignupForm.username": "cleaned when it is made the name of an account",
    "TokenAsked.token": KEY,
    "UserChangeForm.username": "cleaned with the account",
    "WebhookForm.url": "an address",
}
# Fields that are not cleaned, because they accept only values they can parse.
PARSED = (forms.JSONField, forms.SlugField, forms.EmailField, forms.URLField, RangeField)
PARSED_BY_THE_API = (serializers.SlugField, serializers.RegexField)
Found = Iterator[tuple[str, Any]]


def subclasses(base: Any) -> Iterator[Any]:
    for derived in base.__subclasses__():
        yield derived
        yield from subclasses(derived)


def is_ours(found: type) -> bool:
    return found.__module__.partition(".")[0] in PACKAGES


def fields_of_forms() -> Found:
    assert get_resolver().url_patterns
    for form in set(subclasses(forms.BaseForm)):
        if is_ours(form) and not issubclass(form, forms.BaseModelForm):
            yield from typed_in(form, form.base_fields)


def fields_of_the_admin() -> Found:
    request = RequestFactory().get("/")
    request.user = User(username="office", is_staff=True, is_superuser=True)
    assert get_resolver().url_patterns
    for page in admin.site._registry.values():
        if not is_ours(type(page)) or not page.has_change_permission(request):
            continue
        made = [page.get_form(request)]
        if page.list_editable:
            made.append(page.get_changelist_form(request))
        for form in made:
            yield from typed_in(page.form, form.base_fields)
        for inline in page.inlines:
            form = inline(page.model, admin.site).get_formset(request).form
            yield from typed_in(form, form.base_fields)


def typed_in(form: type, fields: dict[str, forms.Field]) -> Found:
    for name, field in fields.items():
        secret = isinstance(field.widget, forms.PasswordInput | forms.HiddenInput)
        if isinstance(field, forms.CharField) and not isinstance(field, PARSED) and not secret:
            yield f"{form.__name__}.{name}", field.to_python


def fields_of_the_api() -> Found:
    for body in set(bodies(get_resolver())):
        yield from typed_by_programs(body())


def bodies(resolver: Any) -> Iterator[type[serializers.BaseSerializer[Any]]]:
    for pattern in resolver.url_patterns:
        if hasattr(pattern, "url_patterns"):
            yield from bodies(pattern)
        view = getattr(pattern, "callback", None)
        handlers = vars_of(getattr(view, "cls", None))
        yield from filter(None, (getattr(handler, "body", None) for handler in handlers))


def vars_of(view: Any) -> list[Any]:
    return [getattr(view, name, None) for name in dir(view)] if view else []


def typed_by_programs(serializer: Any) -> Found:
    for name, member in serializer.fields.items():
        field = member
        while hasattr(field, "child"):
            field = field.child
        if isinstance(field, serializers.BaseSerializer):
            yield from typed_by_programs(field)
        elif isinstance(field, serializers.CharField) and not isinstance(field, PARSED_BY_THE_API):
            yield f"{type(serializer).__name__}.{name}", field.run_validation


def fields_found() -> dict[str, Any]:
    return {**dict(fields_of_forms()), **dict(fields_of_the_admin()), **dict(fields_of_the_api())}


def test_every_text_field_of_forms_and_api_cleans_its_value() -> None:
    wrong = {name for name, read in fields_found().items() if not cleans(read)}
    assert wrong == {*EXCEPTIONS}


def cleans(read: Any) -> bool:
    try:
        return bool(read(TYPED) == CLEANED)
    except Exception:
        return False


@pytest.mark.parametrize(
    "name",
    [
        "GuestForm.name",
        "LeagueForm.about",
        "TokenForm.name",
        "ProfileForm.name",
        "EditSecurityKeyForm.name",
        "MatadorForm.apodo",
        "MatadorForm.deathplace",
        "Postponed.note",
        "AmongFriends.names",
        "BullAsked.name",
    ],
)
def test_text_fields_are_found_from_the_url_patterns(name: str) -> None:
    assert cleans(fields_found()[name])
