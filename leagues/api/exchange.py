"""API resources for import and export of results."""

from __future__ import annotations

from typing import Final

from django.utils import timezone
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.throttling import FILE_THROTTLES
from api.types import JSONObject
from api.views import DetailView, idempotent
from core.names.serializers import CleanCharField
from leagues.api.resources import LeagueResource, op
from leagues.exchange.formats import FileReading
from leagues.exchange.import_plan import ImportPlan
from leagues.exchange.operations import (
    FileFormat,
    ShownPlan,
    export_results,
    import_results,
    preview_import,
    read_results,
)
from leagues.models import League, Player

TAG: Final = "transfer"
MAX_LINES: Final = 1000
MAX_GAMES: Final = 1000


class WhichForm(serializers.Serializer[JSONObject]):
    """Query parameter with the format of the export."""

    form = serializers.ChoiceField(choices=list(FileFormat), required=False)


class ExportFile(serializers.Serializer[JSONObject]):
    """An exported file as text."""

    form = serializers.ChoiceField(choices=list(FileFormat))
    content = serializers.CharField(trim_whitespace=False)


@extend_schema_view(get=op("transfer_export", TAG, ExportFile))
class Export(LeagueResource, DetailView):
    """Export all results that count in a league, oldest first, as CSV unless another format is
    given.
    """

    serializer_class = ExportFile
    query_serializer_class = WhichForm

    def get_object(self) -> League:
        return self.league

    def represent(self, row: League) -> dict[str, str]:
        form = FileFormat(self.read_query(self.request).get("form", FileFormat.CSV))
        return {"form": form.value, "content": export_results(league=row, file_format=form)}


class ImportLineShown(serializers.Serializer[JSONObject]):
    """A result in the file, with a sentence that says what the import would do with it."""

    line = serializers.IntegerField(allow_null=True)
    verdict = serializers.CharField(help_text="add, doubt, known, skip or unreadable.")
    sentence = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField())
    about = serializers.CharField(
        help_text="Date and names as the file has them, if the result could not be read."
    )


class AnswerShown(serializers.Serializer[JSONObject]):
    """A possible answer to a question."""

    answer = serializers.CharField()
    text = serializers.CharField()


class QuestionShown(serializers.Serializer[JSONObject]):
    """A question about all lines of a kind. `answer` is empty while the question is unanswered."""

    key = serializers.CharField(help_text="Name of the question in `decisions`.")
    sentence = serializers.CharField()
    count = serializers.IntegerField(help_text="Number of results that it is about.")
    answer = serializers.CharField()
    answers = AnswerShown(many=True)


class PlannedRoundShown(serializers.Serializer[JSONObject]):
    """A round that the import would create (`new`), or to which it would add fixtures and byes."""

    round = serializers.IntegerField()
    new = serializers.BooleanField()
    fixtures = serializers.IntegerField(help_text="Number of fixtures that are added.")
    byes = serializers.ListField(child=serializers.CharField(), help_text="Who sits out.")
    sentence = serializers.CharField()


class PlanShown(serializers.Serializer[JSONObject]):
    """What the import would do, limited to a thousand lines, those that add a match first."""

    plan = serializers.CharField(
        help_text="Send it with the import, which is then refused if it would do something else."
    )
    adding = serializers.IntegerField()
    doubts = serializers.IntegerField(
        help_text="Results that are left out until `decisions` answer the questions about them."
    )
    questions = QuestionShown(many=True)
    waiting = serializers.IntegerField(
        help_text="Of these so many wait for a second player, because you played them."
    )
    guests = serializers.ListField(child=serializers.CharField())
    doubtful = serializers.ListField(
        child=serializers.CharField(),
        help_text="Names with several identities, about which `questions` ask.",
    )
    other_games = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Games whose results are skipped, and how many; see `same_game`.",
    )
    rounds = PlannedRoundShown(many=True)
    lines = ImportLineShown(many=True)


class ImportFile(serializers.Serializer[JSONObject]):
    """A file to import, as text. Larger files can be uploaded on the page for imports."""

    form = serializers.ChoiceField(choices=list(FileFormat))
    content = serializers.CharField(trim_whitespace=False, max_length=250_000)
    same_game = serializers.ListField(
        child=CleanCharField(max_length=100),
        max_length=MAX_GAMES,
        default=list,
        help_text="What the file calls the game of the league.",
    )
    decisions = serializers.DictField(
        child=serializers.CharField(max_length=20),
        default=dict,
        help_text="Answers to questions of the preview, by their key.",
    )
    plan = serializers.CharField(
        required=False,
        default="",
        max_length=64,
        help_text="The `plan` of the preview with the same `decisions`.",
    )


class WithFile(LeagueResource):
    """Base resource for requests with a file of results, which is parsed before the action
    starts.
    """

    throttle_classes = FILE_THROTTLES
    reading: FileReading
    given: JSONObject

    def prepare(self, request: Request) -> None:
        """Parse the file in the request."""
        self.given = given = self.read(request)
        self.reading = read_results(
            league=self.league,
            data=given["content"].encode(),
            file_format=FileFormat(given["form"]),
            by=self.acting(),
            names=given["same_game"],
        )


class ImportPreview(WithFile):
    """Preview what importing the file would do, line by line. Nothing is saved."""

    @op("transfer_preview", TAG, PlanShown)
    @idempotent(ImportFile)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Preview the import of a file, for organisers."""
        by = self.acting()
        plan = preview_import(
            league=self.league,
            reading=self.reading,
            by=by,
            at=timezone.now(),
            decisions=self.given["decisions"],
        )
        return Response(_plan_data(plan, by))


def _plan_data(plan: ImportPlan, by: Player) -> JSONObject:
    return {
        "plan": plan.digest,
        "adding": len(plan.adding),
        "doubts": plan.doubts,
        "questions": [
            {
                "key": question.key,
                "sentence": question.sentence,
                "count": question.count,
                "answer": question.answer,
                "answers": [
                    {"answer": answer, "text": str(label)} for answer, label in question.options
                ],
            }
            for question in plan.questions
        ],
        "waiting": plan.count_waiting(by),
        "guests": list(plan.guests),
        "doubtful": [question.name for question in plan.questions if question.name],
        "other_games": dict(list(plan.other_games.items())[:MAX_GAMES]),
        "rounds": [
            {
                "round": planned.number,
                "new": planned.new,
                "fixtures": planned.fixtures,
                "byes": list(planned.byes),
                "sentence": planned.sentence,
            }
            for planned in plan.rounds
        ],
        "lines": [
            {
                "line": line.line,
                "verdict": str(line.verdict),
                "sentence": str(line.sentence),
                "players": list(line.names),
                "about": line.about,
            }
            for line in plan.lines[:MAX_LINES]
        ],
    }


class ImportDone(serializers.Serializer[JSONObject]):
    """Outcome of an import.

    `matches` are the numbers of the added matches. `waiting` is how many of them await confirmation
    by a second player. `doubts` results were left out because a question about them was not
    answered. `rounds` are the numbers of the rounds that were created.
    """

    matches = serializers.ListField(child=serializers.IntegerField())
    waiting = serializers.IntegerField()
    guests = serializers.ListField(child=serializers.CharField())
    doubts = serializers.IntegerField()
    byes = serializers.IntegerField(help_text="Number of byes that were added.")
    rounds = serializers.ListField(child=serializers.IntegerField())


class Import(WithFile):
    """Import the file as previewed, completely or not at all."""

    @op("transfer_import", TAG, {201: ImportDone})
    @idempotent(ImportFile)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Import a file, for organisers."""
        plan, decisions = self.given["plan"], self.given["decisions"]
        done = import_results(
            league=self.league,
            reading=self.reading,
            by=self.acting(),
            at=timezone.now(),
            decisions=decisions,
            shown=ShownPlan(digest=plan, decisions=decisions) if plan else None,
        )
        summary = {
            "matches": [match.pk for match in done.matches],
            "waiting": done.waiting,
            "guests": [player.name for player in done.guests],
            "doubts": done.doubts,
            "byes": done.byes,
            "rounds": [drawn.number for drawn in done.rounds],
        }
        return Response(summary, status=201)
