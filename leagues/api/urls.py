"""URLs of leagues, matches, players and tables in the API, under `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from leagues.api import absences as absence_api
from leagues.api import by_hand as by_hand_api
from leagues.api import exchange as exchange_api
from leagues.api import fixtures as fixture_api
from leagues.api import games as game_api
from leagues.api import league as league_api
from leagues.api import standings as standings_api
from leagues.api import webhooks as webhook_api
from leagues.api.matches import matches as match_api
from leagues.api.matches import sheets as sheet_api
from leagues.api.members import members as member_api
from leagues.api.members import players as player_api
from leagues.api.tables import rounds as table_round_api
from leagues.api.tables import tables as table_api

COLLECTIONS = ("games", "leagues", "matches", "tables")
LEAGUE = "leagues/<slug:slug>/"
FIXTURE = f"{LEAGUE}fixtures/<int:pk>/"
MEMBER = f"{LEAGUE}members/<int:pk>/"
MATCH = "matches/<int:pk>/"
TABLE = "tables/<int:pk>/"
ROUND = f"{TABLE}rounds/<int:number>/"
WEBHOOK = f"{LEAGUE}webhooks/<int:pk>/"
DELIVERY = f"{WEBHOOK}deliveries/<int:delivery>/"

correction = sheet_api.CorrectionViewSet.as_view
delivery = webhook_api.DeliveryViewSet.as_view
fixture = fixture_api.FixtureViewSet.as_view
match = match_api.MatchViewSet.as_view
member = member_api.MemberViewSet.as_view
table = table_api.TableViewSet.as_view
webhook = webhook_api.WebhookViewSet.as_view

of_games = [
    path("games/", game_api.GamesAll.as_view(), name="api_games"),
    path("games/<slug:key>/", game_api.GameOne.as_view(), name="api_game"),
    path(
        "games/<slug:key>/leaderboard/", game_api.GameLeaderboard.as_view(), name="api_leaderboard"
    ),
]

of_leagues = [
    path("leagues/", league_api.Leagues.as_view(), name="api_leagues"),
    path("invitations/<slug:token>/", league_api.Invitation.as_view(), name="api_invitation"),
    path(LEAGUE, league_api.LeagueOne.as_view(), name="api_league"),
    path(f"{LEAGUE}close/", league_api.LeagueClosing.as_view(), name="api_league_close"),
    path(
        f"{LEAGUE}standings-rules/",
        league_api.LeagueRulesAdoption.as_view(),
        name="api_adopt_rules",
    ),
    path(f"{LEAGUE}reopen/", league_api.LeagueReopening.as_view(), name="api_league_reopen"),
    path(f"{LEAGUE}invitation/", league_api.LeagueInvitation.as_view(), name="api_league_renew"),
    path(f"{LEAGUE}standings/", standings_api.LeagueStandings.as_view(), name="api_standings"),
    path(f"{LEAGUE}matrix/", standings_api.LeagueMatrix.as_view(), name="api_matrix"),
    path(f"{LEAGUE}rounds/", fixture_api.Rounds.as_view(), name="api_rounds"),
    path(f"{LEAGUE}absences/", absence_api.Absences.as_view(), name="api_absences"),
    path(f"{LEAGUE}absences/<int:pk>/", absence_api.AbsenceOne.as_view(), name="api_absence"),
    path(f"{LEAGUE}draw/", fixture_api.Draw.as_view(), name="api_draw"),
    path(f"{LEAGUE}draw/preview/", by_hand_api.DrawProposal.as_view(), name="api_draw_preview"),
    path(
        f"{LEAGUE}draw/round-robin/",
        fixture_api.RoundRobinDraw.as_view(),
        name="api_draw_round_robin",
    ),
    path(f"{LEAGUE}rare-pairs/", fixture_api.RarePairsOfLeague.as_view(), name="api_rare_pairs"),
    path(f"{LEAGUE}draw/back/", fixture_api.DrawBack.as_view(), name="api_undraw"),
    path(f"{LEAGUE}fixtures/", fixture_api.Fixtures.as_view(), name="api_fixtures"),
    path(FIXTURE, fixture({"get": "retrieve"}), name="api_fixture"),
    path(f"{FIXTURE}postpone/", fixture({"post": "postpone"}), name="api_postpone"),
    path(f"{FIXTURE}forfeit/", fixture({"post": "forfeit"}), name="api_forfeit"),
    path(f"{FIXTURE}void/", fixture({"post": "void"}), name="api_fixture_void"),
    path(f"{FIXTURE}restore/", fixture({"post": "restore"}), name="api_fixture_restore"),
    path(f"{FIXTURE}opponent/", by_hand_api.FixtureOpponent.as_view(), name="api_opponent"),
    path(f"{FIXTURE}vacancy/", by_hand_api.FixtureVacancy.as_view(), name="api_vacancy"),
    path(f"{FIXTURE}match/", match_api.FixtureMatch.as_view(), name="api_fixture_match"),
    path(f"{LEAGUE}members/", member_api.Members.as_view(), name="api_members"),
    path(f"{MEMBER}role/", member({"post": "set_role"}), name="api_role"),
    path(f"{MEMBER}leave/", member_api.MemberLeaving.as_view(), name="api_leave"),
    path(f"{MEMBER}return/", member({"post": "let_return"}), name="api_return"),
    path(f"{MEMBER}link/", member({"post": "create_link"}), name="api_member_link"),
    path(f"{MEMBER}merge/", member_api.MemberMerging.as_view(), name="api_member_merge"),
    path(f"{LEAGUE}claims/", member_api.Claims.as_view(), name="api_claims"),
    path(f"{LEAGUE}claims/<int:pk>/", member_api.ClaimAnswer.as_view(), name="api_claim_answer"),
    path(f"{LEAGUE}matches/", match_api.LeagueMatches.as_view(), name="api_league_matches"),
    path(f"{LEAGUE}export/", exchange_api.Export.as_view(), name="api_export"),
    path(
        f"{LEAGUE}import/preview/", exchange_api.ImportPreview.as_view(), name="api_import_preview"
    ),
    path(f"{LEAGUE}import/", exchange_api.Import.as_view(), name="api_import"),
]

of_webhooks = [
    path(f"{LEAGUE}webhooks/", webhook_api.Webhooks.as_view(), name="api_webhooks"),
    path(
        WEBHOOK,
        webhook({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
        name="api_webhook",
    ),
    path(f"{WEBHOOK}secret/", webhook({"post": "renew_secret"}), name="api_webhook_secret"),
    path(f"{WEBHOOK}test/", webhook({"post": "test"}), name="api_webhook_test"),
    path(f"{WEBHOOK}deliveries/", webhook_api.Deliveries.as_view(), name="api_deliveries"),
    path(DELIVERY, delivery({"get": "retrieve"}), name="api_delivery"),
    path(f"{DELIVERY}again/", delivery({"post": "again"}), name="api_delivery_again"),
]

of_matches = [
    path("matches/", match_api.Matches.as_view(), name="api_matches"),
    path(MATCH, match({"get": "retrieve"}), name="api_match"),
    path(f"{MATCH}draft/", match_api.MatchDraft.as_view(), name="api_draft"),
    path(f"{MATCH}judgement/", match({"post": "judge"}), name="api_judgement"),
    path(f"{MATCH}sheet/", match({"post": "hand_in"}), name="api_hand_in"),
    path(f"{MATCH}confirm/", match({"post": "confirm"}), name="api_confirm"),
    path(f"{MATCH}dispute/", match({"post": "dispute"}), name="api_dispute"),
    path(f"{MATCH}settle/", match({"post": "settle"}), name="api_settle"),
    path(f"{MATCH}proposal/", match({"post": "propose"}), name="api_propose"),
    path(f"{MATCH}answer/", match({"post": "answer"}), name="api_answer"),
    path(f"{MATCH}void/", match({"post": "void"}), name="api_void"),
    path(f"{MATCH}rematch/", match({"post": "rematch"}), name="api_match_again"),
    path(f"{MATCH}correct/", correction({"post": "correct"}), name="api_correct"),
    path(f"{MATCH}correct/preview/", correction({"post": "preview"}), name="api_correct_preview"),
    path(f"{MATCH}sheets/", sheet_api.Sheets.as_view(), name="api_sheets"),
    path(f"{MATCH}sheets/<int:number>/", sheet_api.SheetOne.as_view(), name="api_sheet"),
    path(
        f"{MATCH}sheets/<int:number>/restore/",
        sheet_api.MatchRestoring.as_view(),
        name="api_restore",
    ),
    path(f"{MATCH}record/", sheet_api.MatchRecord.as_view(), name="api_match_record"),
]

of_players = [
    path("players/me/", player_api.PlayerMe.as_view(), name="api_player_me"),
    path("players/me/waiting/", player_api.PlayerWaiting.as_view(), name="api_waiting"),
    path("players/<slug:slug>/", player_api.PlayerOne.as_view(), name="api_player"),
    path(
        "players/<slug:slug>/matches/",
        player_api.PlayerMatches.as_view(),
        name="api_player_matches",
    ),
    path("players/<slug:slug>/claim/", member_api.PlayerClaim.as_view(), name="api_claim"),
    path("guests/<str:token>/", member_api.GuestLink.as_view(), name="api_guest"),
    path("merges/<int:pk>/undo/", member_api.MergeUndoing.as_view(), name="api_merge_undo"),
]

of_tables = [
    path("tables/", table_api.Tables.as_view(), name="api_tables"),
    path(TABLE, table({"get": "retrieve"}), name="api_table"),
    path(f"{TABLE}moves/", table({"post": "move"}), name="api_move"),
    path(f"{TABLE}sit/", table({"post": "sit"}), name="api_sit"),
    path(f"{TABLE}stand/", table({"post": "stand"}), name="api_stand"),
    path(f"{TABLE}bot/", table({"post": "seat_bot"}), name="api_bot"),
    path(f"{TABLE}free/", table({"post": "free"}), name="api_free"),
    path(f"{TABLE}begin/", table({"post": "begin"}), name="api_begin"),
    path(f"{TABLE}close/", table({"post": "close"}), name="api_close"),
    path(f"{TABLE}ready/", table({"post": "ready"}), name="api_ready"),
    path(f"{TABLE}leave/", table({"post": "leave"}), name="api_leave_table"),
    path(f"{TABLE}back/", table({"post": "come_back"}), name="api_back"),
    path(f"{TABLE}rematch/", table({"post": "rematch"}), name="api_rematch"),
    path(f"{TABLE}rounds/", table_round_api.TableRounds.as_view(), name="api_table_rounds"),
    path(ROUND, table_round_api.TableRoundOne.as_view(), name="api_table_round"),
    path(f"{ROUND}steps/<int:move>/", table_round_api.TableStep.as_view(), name="api_step"),
    path(f"{ROUND}record/", table_round_api.RoundRecord.as_view(), name="api_round_record"),
]

urlpatterns = [*of_games, *of_leagues, *of_webhooks, *of_matches, *of_players, *of_tables]
