"""Acts that are no POST."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from api.views import Act


class Putting(Act):
    """What replaces what is at its address."""

    def put(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """As asked."""
        return self.do(request, *args, **kwargs)


class Deleting(Act):
    """What takes away what is at its address."""

    def delete(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """As asked."""
        return self.do(request, *args, **kwargs)


READ_AND_POST = ["get", "head", "options", "post"]
READ_AND_PUT = ["get", "head", "options", "put"]
READ_AND_DELETE = ["get", "head", "options", "delete"]
POST_AND_DELETE = ["options", "post", "delete"]
POST = ["options", "post"]
PUT = ["options", "put"]
