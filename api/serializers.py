"""What the interface itself tells: who one is."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accounts.models import User


class Me(serializers.ModelSerializer[User]):
    """Who asks, as the site knows them."""

    scope = serializers.SerializerMethodField(
        help_text="What the key is good for: read, write, or session for a browser."
    )

    class Meta:
        model = User
        fields = ["username", "language", "theme", "bloodless", "scope"]

    def get_scope(self, user: User) -> str:
        """The scope of what was shown at the door."""
        token: Any = self.context["request"].auth
        return str(token.scope) if token is not None else "session"


class Index(serializers.Serializer[Any]):
    """Where everything is."""

    resources = serializers.DictField(
        child=serializers.CharField(), help_text="Addresses of collections by name."
    )
    documentation = serializers.CharField()
    schema = serializers.CharField()
