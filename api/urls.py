"""URLs of pages about the API. The URLs of the API itself are in `config.api_urls`."""

from django.urls import path

from api.keys import views

urlpatterns = [
    path("accounts/tokens/", views.key_list, name="tokens"),
    path("accounts/tokens/make/", views.create_key, name="token_make"),
    path("accounts/tokens/<int:pk>/revoke/", views.revoke_key, name="token_revoke"),
]
