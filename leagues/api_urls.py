"""URLs of leagues, matches, players and tables in the API, under `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from leagues.exchange import api as exchange_api
from leagues.fixtures import api as fixture_api
from leagues.games import api as game_api
from leagues.league import api as league_api
from leagues.matches.api import matches as match_api
from leagues.matches.api import sheets as sheet_api
from leagues.members.api import members as member_api
from leagues.members.api import players as player_api
from leagues.standings import api as standings_api
from leagues.tables.api import rounds as table_round_api
from leagues.tables.api import tables as table_api
from leagues.webhooks import api as webhook_api

COLLECTIONS = ("games", "leagues", "matches", "tables")
LEAGUE = "leagues/<slug:slug>/"
FIXTURE = f"{LEAGUE}fixtures/<int:pk>/"
MEMBER = f"{LEAGUE}members/<int:pk>/"
MATCH = "matches/<int:pk>/"
TABLE = "tables/<int:pk>/"
ROUND = f"{TABLE}rounds/<int:number>/"
WEBHOOK = f"{LEAGUE}webhooks/<int:pk>/"
DELIVERY = f"{WEBHOOK}deliveries/<int:delivery>/"

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
    path(f"{LEAGUE}reopen/", league_api.LeagueReopening.as_view(), name="api_league_reopen"),
    path(f"{LEAGUE}invitation/", league_api.LeagueInvitation.as_view(), name="api_league_renew"),
    path(f"{LEAGUE}standings/", standings_api.LeagueStandings.as_view(), name="api_standings"),
    path(f"{LEAGUE}matrix/", standings_api.LeagueMatrix.as_view(), name="api_matrix"),
    path(f"{LEAGUE}rounds/", fixture_api.Rounds.as_view(), name="api_rounds"),
    path(f"{LEAGUE}draw/", fixture_api.Draw.as_view(), name="api_draw"),
    path(f"{LEAGUE}draw/back/", fixture_api.DrawBack.as_view(), name="api_undraw"),
    path(f"{LEAGUE}fixtures/", fixture_api.Fixtures.as_view(), name="api_fixtures"),
    path(FIXTURE, fixture_api.FixtureOne.as_view(), name="api_fixture"),
    path(f"{FIXTURE}postpone/", fixture_api.FixturePostponing.as_view(), name="api_postpone"),
    path(f"{FIXTURE}forfeit/", fixture_api.FixtureForfeiting.as_view(), name="api_forfeit"),
    path(f"{FIXTURE}void/", fixture_api.FixtureVoiding.as_view(), name="api_fixture_void"),
    path(f"{FIXTURE}restore/", fixture_api.FixtureRestoring.as_view(), name="api_fixture_restore"),
    path(f"{FIXTURE}match/", match_api.FixtureMatch.as_view(), name="api_fixture_match"),
    path(f"{LEAGUE}members/", member_api.Members.as_view(), name="api_members"),
    path(f"{MEMBER}role/", member_api.MemberRole.as_view(), name="api_role"),
    path(f"{MEMBER}leave/", member_api.MemberLeaving.as_view(), name="api_leave"),
    path(f"{MEMBER}return/", member_api.MemberReturning.as_view(), name="api_return"),
    path(f"{MEMBER}link/", member_api.MemberLink.as_view(), name="api_member_link"),
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
    path(WEBHOOK, webhook_api.WebhookOne.as_view(), name="api_webhook"),
    path(f"{WEBHOOK}secret/", webhook_api.WebhookSecretNew.as_view(), name="api_webhook_secret"),
    path(f"{WEBHOOK}test/", webhook_api.WebhookTest.as_view(), name="api_webhook_test"),
    path(f"{WEBHOOK}deliveries/", webhook_api.Deliveries.as_view(), name="api_deliveries"),
    path(DELIVERY, webhook_api.DeliveryOne.as_view(), name="api_delivery"),
    path(f"{DELIVERY}again/", webhook_api.DeliveryAgain.as_view(), name="api_delivery_again"),
]

of_matches = [
    path("matches/", match_api.Matches.as_view(), name="api_matches"),
    path(MATCH, match_api.MatchOne.as_view(), name="api_match"),
    path(f"{MATCH}draft/", match_api.MatchDraft.as_view(), name="api_draft"),
    path(f"{MATCH}judgement/", match_api.MatchJudgement.as_view(), name="api_judgement"),
    path(f"{MATCH}sheet/", match_api.MatchHandingIn.as_view(), name="api_hand_in"),
    path(f"{MATCH}confirm/", match_api.MatchConfirming.as_view(), name="api_confirm"),
    path(f"{MATCH}dispute/", match_api.MatchDisputing.as_view(), name="api_dispute"),
    path(f"{MATCH}settle/", match_api.MatchSettling.as_view(), name="api_settle"),
    path(f"{MATCH}void/", match_api.MatchVoiding.as_view(), name="api_void"),
    path(f"{MATCH}rematch/", match_api.MatchAgain.as_view(), name="api_match_again"),
    path(f"{MATCH}correct/", sheet_api.MatchCorrecting.as_view(), name="api_correct"),
    path(
        f"{MATCH}correct/preview/",
        sheet_api.CorrectionPreview.as_view(),
        name="api_correct_preview",
    ),
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
    path(TABLE, table_api.TableOne.as_view(), name="api_table"),
    path(f"{TABLE}moves/", table_api.TableMoving.as_view(), name="api_move"),
    path(f"{TABLE}sit/", table_api.TableSit.as_view(), name="api_sit"),
    path(f"{TABLE}stand/", table_api.TableStand.as_view(), name="api_stand"),
    path(f"{TABLE}bot/", table_api.TableBot.as_view(), name="api_bot"),
    path(f"{TABLE}free/", table_api.TableFree.as_view(), name="api_free"),
    path(f"{TABLE}begin/", table_api.TableBegin.as_view(), name="api_begin"),
    path(f"{TABLE}close/", table_api.TableClose.as_view(), name="api_close"),
    path(f"{TABLE}ready/", table_api.TableReady.as_view(), name="api_ready"),
    path(f"{TABLE}leave/", table_api.TableLeave.as_view(), name="api_leave_table"),
    path(f"{TABLE}back/", table_api.TableBack.as_view(), name="api_back"),
    path(f"{TABLE}rematch/", table_api.TableAgain.as_view(), name="api_rematch"),
    path(f"{TABLE}rounds/", table_round_api.TableRounds.as_view(), name="api_table_rounds"),
    path(ROUND, table_round_api.TableRoundOne.as_view(), name="api_table_round"),
    path(f"{ROUND}steps/<int:move>/", table_round_api.TableStep.as_view(), name="api_step"),
    path(f"{ROUND}record/", table_round_api.RoundRecord.as_view(), name="api_round_record"),
]

urlpatterns = [*of_games, *of_leagues, *of_webhooks, *of_matches, *of_players, *of_tables]
