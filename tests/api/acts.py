"""A small API of two views, to test what all parts of the API share."""

from typing import Any

from django.urls import include, path
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from api import resources
from api.conditional import check_if_match
from api.models import Token
from api.views import DetailView, ListView, idempotent


class Name(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=20)


class Key(serializers.ModelSerializer[Token]):
    class Meta:
        model = Token
        fields = ["name"]


class Names(ListView):
    """List and create API keys, which stand in for rows of any model."""

    serializer_class = Key
    ordering = ("name", "pk")
    queryset = Token.objects.all()

    @idempotent(Name)
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        name = self.read(request)["name"]
        assert isinstance(request.user, User)
        Token.objects.create(
            user=request.user, name=name, prefix="", digest=name.encode(), created_at=timezone.now()
        )
        if name == "break":
            raise RuntimeError("a secret")
        return Response({"name": name}, status=201, headers={"Location": f"/api/v1/{name}/"})


class NameOf(DetailView):
    """Show and rename an API key."""

    serializer_class = Key
    queryset = Token.objects.all()

    @idempotent(Name)
    def put(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        row = self.get_object()
        check_if_match(request, self.represent(row), required=True)
        Token.objects.filter(pk=row.pk).update(name=self.read(request)["name"])
        row.refresh_from_db()
        return Response(self.represent(row))


urlpatterns = [
    path("api/v1/names/", Names.as_view()),
    path("api/v1/names/<int:pk>/", NameOf.as_view()),
    path("api/v1/me/", resources.MeView.as_view()),
    path("", include("config.urls")),
]
