"""Addresses of leagues, matches, players and tables for programs, under `/api/v1/`."""

from django.urls import path

from leagues.api import (
    drafts,
    fixtures,
    games,
    guests,
    judging,
    leagues,
    matches,
    members,
    past,
    players,
    rounds,
    seats,
    sheets,
    standings,
    tables,
    transfer,
    webhooks,
)

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
    path("games/", games.GamesAll.as_view(), name="api_games"),
    path("games/<slug:key>/", games.GameOne.as_view(), name="api_game"),
    path("games/<slug:key>/leaderboard/", games.GameLeaderboard.as_view(), name="api_leaderboard"),
]

of_leagues = [
    path("leagues/", leagues.Leagues.as_view(), name="api_leagues"),
    path("invitations/<slug:token>/", leagues.Invitation.as_view(), name="api_invitation"),
    path(LEAGUE, leagues.LeagueOne.as_view(), name="api_league"),
    path(f"{LEAGUE}close/", leagues.LeagueClosing.as_view(), name="api_league_close"),
    path(f"{LEAGUE}reopen/", leagues.LeagueReopening.as_view(), name="api_league_reopen"),
    path(f"{LEAGUE}invitation/", leagues.LeagueInvitation.as_view(), name="api_league_renew"),
    path(f"{LEAGUE}standings/", standings.LeagueStandings.as_view(), name="api_standings"),
    path(f"{LEAGUE}matrix/", standings.LeagueMatrix.as_view(), name="api_matrix"),
    path(f"{LEAGUE}rounds/", rounds.Rounds.as_view(), name="api_rounds"),
    path(f"{LEAGUE}draw/", rounds.Draw.as_view(), name="api_draw"),
    path(f"{LEAGUE}draw/back/", rounds.DrawBack.as_view(), name="api_undraw"),
    path(f"{LEAGUE}fixtures/", fixtures.Fixtures.as_view(), name="api_fixtures"),
    path(FIXTURE, fixtures.FixtureOne.as_view(), name="api_fixture"),
    path(f"{FIXTURE}postpone/", fixtures.FixturePostponing.as_view(), name="api_postpone"),
    path(f"{FIXTURE}forfeit/", fixtures.FixtureForfeiting.as_view(), name="api_forfeit"),
    path(f"{FIXTURE}void/", fixtures.FixtureVoiding.as_view(), name="api_fixture_void"),
    path(f"{FIXTURE}restore/", fixtures.FixtureRestoring.as_view(), name="api_fixture_restore"),
    path(f"{FIXTURE}match/", matches.FixtureMatch.as_view(), name="api_fixture_match"),
    path(f"{LEAGUE}members/", members.Members.as_view(), name="api_members"),
    path(f"{MEMBER}role/", members.MemberRole.as_view(), name="api_role"),
    path(f"{MEMBER}leave/", members.MemberLeaving.as_view(), name="api_leave"),
    path(f"{MEMBER}return/", members.MemberReturning.as_view(), name="api_return"),
    path(f"{MEMBER}link/", members.MemberLink.as_view(), name="api_member_link"),
    path(f"{MEMBER}merge/", guests.MemberMerging.as_view(), name="api_member_merge"),
    path(f"{LEAGUE}claims/", members.Claims.as_view(), name="api_claims"),
    path(f"{LEAGUE}claims/<int:pk>/", members.ClaimAnswer.as_view(), name="api_claim_answer"),
    path(f"{LEAGUE}matches/", matches.LeagueMatches.as_view(), name="api_league_matches"),
    path(f"{LEAGUE}export/", transfer.Export.as_view(), name="api_export"),
    path(f"{LEAGUE}import/preview/", transfer.ImportPreview.as_view(), name="api_import_preview"),
    path(f"{LEAGUE}import/", transfer.Import.as_view(), name="api_import"),
]

of_webhooks = [
    path(f"{LEAGUE}webhooks/", webhooks.Webhooks.as_view(), name="api_webhooks"),
    path(WEBHOOK, webhooks.WebhookOne.as_view(), name="api_webhook"),
    path(f"{WEBHOOK}secret/", webhooks.WebhookSecretNew.as_view(), name="api_webhook_secret"),
    path(f"{WEBHOOK}test/", webhooks.WebhookTest.as_view(), name="api_webhook_test"),
    path(f"{WEBHOOK}deliveries/", webhooks.Deliveries.as_view(), name="api_deliveries"),
    path(DELIVERY, webhooks.DeliveryOne.as_view(), name="api_delivery"),
    path(f"{DELIVERY}again/", webhooks.DeliveryAgain.as_view(), name="api_delivery_again"),
]

of_matches = [
    path("matches/", matches.Matches.as_view(), name="api_matches"),
    path(MATCH, matches.MatchOne.as_view(), name="api_match"),
    path(f"{MATCH}draft/", drafts.MatchDraft.as_view(), name="api_draft"),
    path(f"{MATCH}judgement/", judging.MatchJudgement.as_view(), name="api_judgement"),
    path(f"{MATCH}sheet/", judging.MatchHandingIn.as_view(), name="api_hand_in"),
    path(f"{MATCH}confirm/", judging.MatchConfirming.as_view(), name="api_confirm"),
    path(f"{MATCH}dispute/", judging.MatchDisputing.as_view(), name="api_dispute"),
    path(f"{MATCH}settle/", judging.MatchSettling.as_view(), name="api_settle"),
    path(f"{MATCH}void/", judging.MatchVoiding.as_view(), name="api_void"),
    path(f"{MATCH}rematch/", judging.MatchAgain.as_view(), name="api_match_again"),
    path(f"{MATCH}correct/", sheets.MatchCorrecting.as_view(), name="api_correct"),
    path(
        f"{MATCH}correct/preview/", sheets.CorrectionPreview.as_view(), name="api_correct_preview"
    ),
    path(f"{MATCH}sheets/", sheets.Sheets.as_view(), name="api_sheets"),
    path(f"{MATCH}sheets/<int:number>/", sheets.SheetOne.as_view(), name="api_sheet"),
    path(
        f"{MATCH}sheets/<int:number>/restore/", sheets.MatchRestoring.as_view(), name="api_restore"
    ),
    path(f"{MATCH}record/", sheets.MatchRecord.as_view(), name="api_match_record"),
]

of_players = [
    path("players/me/", players.PlayerMe.as_view(), name="api_player_me"),
    path("players/me/waiting/", players.PlayerWaiting.as_view(), name="api_waiting"),
    path("players/<slug:slug>/", players.PlayerOne.as_view(), name="api_player"),
    path(
        "players/<slug:slug>/matches/", players.PlayerMatches.as_view(), name="api_player_matches"
    ),
    path("players/<slug:slug>/claim/", guests.PlayerClaim.as_view(), name="api_claim"),
    path("guests/<str:token>/", guests.GuestLink.as_view(), name="api_guest"),
    path("merges/<int:pk>/undo/", guests.MergeUndoing.as_view(), name="api_merge_undo"),
]

of_tables = [
    path("tables/", tables.Tables.as_view(), name="api_tables"),
    path(TABLE, tables.TableOne.as_view(), name="api_table"),
    path(f"{TABLE}moves/", seats.TableMoving.as_view(), name="api_move"),
    path(f"{TABLE}sit/", seats.TableSit.as_view(), name="api_sit"),
    path(f"{TABLE}stand/", seats.TableStand.as_view(), name="api_stand"),
    path(f"{TABLE}bot/", seats.TableBot.as_view(), name="api_bot"),
    path(f"{TABLE}free/", seats.TableFree.as_view(), name="api_free"),
    path(f"{TABLE}begin/", seats.TableBegin.as_view(), name="api_begin"),
    path(f"{TABLE}close/", seats.TableClose.as_view(), name="api_close"),
    path(f"{TABLE}ready/", seats.TableReady.as_view(), name="api_ready"),
    path(f"{TABLE}leave/", seats.TableLeave.as_view(), name="api_leave_table"),
    path(f"{TABLE}back/", seats.TableBack.as_view(), name="api_back"),
    path(f"{TABLE}rematch/", seats.TableAgain.as_view(), name="api_rematch"),
    path(f"{TABLE}rounds/", past.TableRounds.as_view(), name="api_table_rounds"),
    path(ROUND, past.TableRoundOne.as_view(), name="api_table_round"),
    path(f"{ROUND}steps/<int:move>/", past.TableStep.as_view(), name="api_step"),
    path(f"{ROUND}record/", past.RoundRecord.as_view(), name="api_round_record"),
]

urlpatterns = [*of_games, *of_leagues, *of_webhooks, *of_matches, *of_players, *of_tables]
