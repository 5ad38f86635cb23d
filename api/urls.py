"""Pages about the interface; the interface itself stands in `config.interface`."""

from django.urls import path

from api import pages

urlpatterns = [
    path("accounts/tokens/", pages.tokens, name="tokens"),
    path("accounts/tokens/make/", pages.make, name="token_make"),
    path("accounts/tokens/<int:pk>/revoke/", pages.revoke, name="token_revoke"),
]
