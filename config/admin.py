"""Django's admin site, with an index grouped by task."""

from __future__ import annotations

from typing import Final, cast

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

# Groups of the admin index, in this order: key, name and model names. Models that belong to none of
# the groups follow, grouped by application.
SECTIONS: Final = (
    ("rosters", _("Rosters"), ("Matador", "Ganaderia", "Bull", "Plaza", "Deck", "BoardDesign")),
    ("seasons", _("Seasons"), ("Circuit", "Season", "Feria", "Corrida", "Run", "Change")),
    ("figures", _("Season statistics"), ("Escalafon", "Lidia", "Injury")),
    ("leagues", _("Leagues"), ("League", "Member", "Round", "Fixture", "Pool", "Recount")),
    ("matches", _("Matches and tables"), ("Match", "Result", "Dispute", "Table", "Keeping")),
    (
        *("people", _("People")),
        ("Player", "Claim", "Merge", "Rating", "User", "Group", "EmailAddress"),
    ),
)


class ChoicesView(AutocompleteJsonView):
    """Autocomplete view that uses `choice_label` of a model's admin, if defined, as the label."""

    def serialize_result(self, obj: Model, to_field_name: str) -> dict[str, str]:
        result: dict[str, str] = super().serialize_result(obj, to_field_name)
        choice_label = getattr(self.model_admin, "choice_label", None)
        return result | {"text": choice_label(obj)} if choice_label else result


class SiteAdmin(admin.AdminSite):
    """Admin site that uses the site's own sign-in page, including two-factor authentication."""

    site_title = site_header = "Temporada"
    index_title = _("Admin")

    def login(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        response: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return response

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        return cast(HttpResponse, ChoicesView.as_view(admin_site=self)(request))

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[object]:
        apps = super().get_app_list(request, app_label)
        if app_label is not None:
            return apps
        models = {model["object_name"]: model for app in apps for model in app["models"]}
        tasks = [
            {
                "name": name,
                "app_label": key,
                "app_url": f"#office-{key}",
                "has_module_perms": True,
                "models": [models.pop(known) for known in names if known in models],
            }
            for key, name, names in SECTIONS
        ]
        rest = [
            app | {"models": [entry for entry in app["models"] if entry["object_name"] in models]}
            for app in apps
        ]
        return [group for group in (*tasks, *rest) if group["models"]]
