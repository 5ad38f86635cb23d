"""URLs of the pages of leagues, matches, players and live tables."""

from django.urls import path

from leagues.pages.exchange import views as exchange_views
from leagues.pages.fixtures import absences as absence_views
from leagues.pages.fixtures import opponents as opponent_views
from leagues.pages.fixtures import views as fixture_views
from leagues.pages.league import views as league_views
from leagues.pages.matches import corrections as correction_views
from leagues.pages.matches import matches as match_views
from leagues.pages.matches import new_match as new_match_views
from leagues.pages.members import views as member_views
from leagues.pages.ratings import views as rating_views
from leagues.pages.standings import views as standings_views
from leagues.pages.tables import lobby as lobby_views
from leagues.pages.tables import table as table_views
from leagues.pages.webhooks import views as webhook_views

leagues = [
    path("leagues/", league_views.league_list, name="leagues"),
    path("leagues/new/", league_views.new_league, name="league_new"),
    path("leagues/join/<slug:token>/", league_views.join_page, name="league_join"),
    path("leagues/<slug:slug>/", league_views.league_page, name="league"),
    path("leagues/<slug:slug>/results/", league_views.result_list, name="league_results"),
    path("leagues/<slug:slug>/fixtures/", fixture_views.fixture_list, name="league_fixtures"),
    path(
        "leagues/<slug:slug>/absences/",
        absence_views.announce_absence_page,
        name="league_absence",
    ),
    path(
        "leagues/<slug:slug>/absences/<int:pk>/cancel/",
        absence_views.cancel_absence_page,
        name="absence_cancel",
    ),
    path("leagues/<slug:slug>/matrix/", standings_views.matrix_page, name="league_matrix"),
    path("leagues/<slug:slug>/history/", standings_views.history_page, name="league_history"),
    path(
        "leagues/<slug:slug>/standings/<slug:player>/",
        standings_views.standing_page,
        name="league_standing",
    ),
    path("leagues/<slug:slug>/rules/", league_views.rules_page, name="league_rules"),
    path("leagues/<slug:slug>/settings/", league_views.settings_page, name="league_settings"),
    path("leagues/<slug:slug>/settings/close/", league_views.close_page, name="league_close"),
    path("leagues/<slug:slug>/webhooks/", webhook_views.webhooks_page, name="league_webhooks"),
    path(
        "leagues/<slug:slug>/webhooks/<int:pk>/<slug:action>/",
        webhook_views.webhook_action,
        name="league_webhook",
    ),
    path("leagues/<slug:slug>/review/", match_views.league_review, name="league_review"),
    path("leagues/<slug:slug>/draw/", fixture_views.draw_page, name="league_draw"),
    path("leagues/<slug:slug>/draw/back/", fixture_views.undraw_page, name="league_undraw"),
    path("leagues/<slug:slug>/calendar.ics", fixture_views.league_calendar, name="league_calendar"),
    path("leagues/<slug:slug>/import/", exchange_views.import_page, name="league_import"),
    path(
        "leagues/<slug:slug>/import/template.csv",
        exchange_views.import_template,
        name="league_import_template",
    ),
    path("leagues/<slug:slug>/export/", exchange_views.export_page, name="league_export"),
    path("leagues/<slug:slug>/fixtures/<int:pk>/", fixture_views.fixture_page, name="fixture"),
    path(
        "leagues/<slug:slug>/fixtures/<int:pk>/opponent/",
        opponent_views.opponent_page,
        name="fixture_opponent",
    ),
    path(
        "leagues/<slug:slug>/fixtures/<int:pk>/<slug:action>/",
        fixture_views.change_fixture,
        name="fixture_change",
    ),
    path("leagues/<slug:slug>/players/", member_views.member_list, name="league_members"),
    path("leagues/<slug:slug>/players/guest/", member_views.add_guest_page, name="league_guest"),
    path(
        "leagues/<slug:slug>/players/link/", member_views.renew_invitation_page, name="league_renew"
    ),
    path("leagues/<slug:slug>/players/<int:pk>/role/", member_views.role_page, name="member_role"),
    path(
        "leagues/<slug:slug>/players/<int:pk>/leave/",
        member_views.withdraw_page,
        name="member_leave",
    ),
    path(
        "leagues/<slug:slug>/players/<int:pk>/back/", member_views.return_page, name="member_return"
    ),
    path(
        "leagues/<slug:slug>/players/<int:pk>/link/",
        member_views.guest_link_page,
        name="member_link",
    ),
    path(
        "leagues/<slug:slug>/players/<int:pk>/merge/", member_views.merge_page, name="member_merge"
    ),
    path(
        "leagues/<slug:slug>/claims/<int:pk>/", member_views.answer_claim_page, name="claim_answer"
    ),
]

players = [
    path("players/me/", member_views.own_page, name="player_me"),
    path("players/<slug:slug>/", member_views.player_page, name="player"),
    path("players/<slug:slug>/change/", member_views.change_player, name="player_change"),
    path("players/<slug:slug>/claim/", member_views.claim_page, name="player_claim"),
    path("players/merges/<int:pk>/undo/", member_views.undo_merge_page, name="merge_undo"),
    path("guests/held/", member_views.take_held_guest, name="guest_take"),
    path("guests/<str:token>/", member_views.guest_page, name="guest_claim"),
    path("leaderboards/<slug:key>/", rating_views.leaderboard, name="leaderboard"),
]

tables = [
    path("tables/", lobby_views.table_list, name="tables"),
    path("tables/new/", lobby_views.new_table, name="new_table"),
    path("tables/now/", lobby_views.play_now, name="play_now"),
    path("tables/<int:pk>/", table_views.table_page, name="table"),
    path("tables/<int:pk>/move/", table_views.move_page, name="table_move"),
    path(
        "tables/<int:pk>/join/<slug:invitation>/", table_views.follow_invitation, name="table_join"
    ),
    path(
        "tables/<int:pk>/replay/<int:round_number>/<int:move>/",
        table_views.replay,
        name="table_replay",
    ),
    path(
        "tables/<int:pk>/rounds/<int:round_number>/record/",
        table_views.round_record,
        name="round_acta",
    ),
    path(
        "tables/<int:pk>/rounds/<int:round_number>/record/verdict/",
        table_views.round_verdict,
        name="round_verdict",
    ),
    path("tables/<int:pk>/<slug:what>/", table_views.perform_action, name="table_act"),
]

matches = [
    path("matches/new/<slug:game>/", new_match_views.new_friends_match, name="new_match"),
    path("leagues/<slug:slug>/match/", new_match_views.new_league_match, name="league_new_match"),
    path(
        "leagues/<slug:slug>/rounds/<int:number>/scoresheets/",
        new_match_views.round_scoresheets,
        name="round_scoresheets",
    ),
    path("fixtures/<int:pk>/match/", new_match_views.open_fixture_match, name="fixture_match"),
    path("matches/review/", match_views.site_review, name="matches_review"),
    path("matches/<int:pk>/", match_views.match_redirect, name="match"),
    path("matches/key/<slug:key>/", match_views.open_by_key, name="match_key"),
    path("matches/<int:pk>/record/", match_views.match_record, name="match_acta"),
    path("matches/<int:pk>/record/verdict/", match_views.match_verdict, name="match_verdict"),
    path("matches/<int:pk>/confirm/", match_views.confirm, name="match_confirm"),
    path("matches/<int:pk>/dispute/", match_views.dispute, name="match_dispute"),
    path("matches/<int:pk>/settle/", match_views.settle_dispute, name="match_settle"),
    path("matches/<int:pk>/propose/", match_views.propose, name="match_propose"),
    path("matches/<int:pk>/answer/", match_views.answer_proposal, name="match_answer"),
    path("matches/<int:pk>/void/", match_views.void, name="match_void"),
    path("matches/<int:pk>/again/", match_views.rematch, name="match_rematch"),
    path("matches/<int:pk>/correct/", correction_views.correction_page, name="match_correct"),
    path(
        "matches/<int:pk>/versions/<int:number>/",
        correction_views.restore_page,
        name="match_restore",
    ),
]

urlpatterns = [*leagues, *players, *matches, *tables]
