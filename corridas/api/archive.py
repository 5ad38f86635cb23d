"""Records of corridas and lidias under `/api/v1/`. Anyone can check a result from its record."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from actas import NotYet
from api.problems import Problem
from corridas.api.schema import op
from corridas.api.season.corridas import OfCorrida
from corridas.archive.acta import of_corrida, of_lidia


class CorridaRecord(OfCorrida):
    """The record of a corrida, available once the corrida is over."""

    @op("corridas_record", OpenApiTypes.OBJECT)
    def get(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Return the whole record, in the format described in `docs/records.md`."""
        try:
            return Response(of_corrida(self.find_corrida()))
        except NotYet as error:
            raise Problem(404, str(error)) from error


class LidiaRecord(OfCorrida):
    """The record of one lidia (the fight with one bull)."""

    @op("lidias_record", OpenApiTypes.OBJECT)
    def get(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Return the record of this lidia only. It can be checked without the other lidias."""
        try:
            return Response(of_lidia(self.find_corrida(), self.kwargs["turn"]))
        except NotYet as error:
            raise Problem(404, str(error)) from error
