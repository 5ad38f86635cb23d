"""Notifications of the current user."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Notice
from accounts.notifications import operations as notifications
from accounts.notifications.queries import line_for
from api.types import JSONObject
from api.views import ListView, ResourceView, idempotent


class NoticeTold(serializers.Serializer[Notice]):
    """One notification."""

    id = serializers.IntegerField()
    kind = serializers.CharField()
    text = serializers.CharField(help_text="In the language asked for.")
    link = serializers.CharField(help_text="Where it leads on this site; may be empty.")
    at = serializers.DateTimeField()
    unread = serializers.BooleanField()

    def to_representation(self, instance: Notice) -> JSONObject:
        """Return the notification in the language of the request."""
        line = line_for(instance)
        return {
            "id": line.number,
            "kind": instance.kind,
            "text": line.text,
            "link": line.link,
            "at": line.at,
            "unread": line.unread,
        }


@extend_schema_view(get=extend_schema(operation_id="notices_list", tags=["interface"]))
class NotificationList(ListView):
    """The current user's notifications, newest first. Reading them here marks nothing as read."""

    queryset = Notice.objects.none()
    serializer_class = NoticeTold
    ordering = ("-pk",)

    def get_queryset(self) -> QuerySet[Notice]:
        """Return the user's own notifications. Raises NotAuthenticated."""
        if self.person is None:
            raise NotAuthenticated(_("Sign in or send an API key."))
        return Notice.objects.filter(user=self.person, on_site=True)


class Unread(serializers.Serializer[JSONObject]):
    """Number of unread notifications."""

    unread = serializers.IntegerField()


class MarkAllRead(ResourceView):
    """Marks all notifications as read."""

    @extend_schema(operation_id="notices_read", tags=["interface"], responses=Unread)
    @idempotent()
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Mark the current user's notifications as read."""
        assert self.person is not None
        notifications.mark_all_read(self.person, at=timezone.now())
        return Response({"unread": 0})
