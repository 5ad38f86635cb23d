"""Addresses of leagues, matches, players and tables."""

from django.urls import path

from leagues.views import (
    actas,
    calendar,
    corrections,
    gate,
    index,
    keys,
    league,
    members,
    opening,
    organising,
    people,
    review,
    transfer,
    webhooks,
)
from leagues.views import matches as match_views
from leagues.views.tables import acts, hall, present

leagues = [
    path("leagues/", index.page, name="leagues"),
    path("leagues/new/", index.new, name="league_new"),
    path("leagues/join/<slug:token>/", index.join, name="league_join"),
    path("leagues/<slug:slug>/", league.page, name="league"),
    path("leagues/<slug:slug>/results/", league.result_list, name="league_results"),
    path("leagues/<slug:slug>/fixtures/", league.fixture_list, name="league_fixtures"),
    path("leagues/<slug:slug>/matrix/", league.matrix, name="league_matrix"),
    path("leagues/<slug:slug>/history/", league.history, name="league_history"),
    path("leagues/<slug:slug>/rules/", organising.rules, name="league_rules"),
    path("leagues/<slug:slug>/settings/", organising.settings, name="league_settings"),
    path("leagues/<slug:slug>/settings/close/", organising.close, name="league_close"),
    path("leagues/<slug:slug>/webhooks/", webhooks.page, name="league_webhooks"),
    path(
        "leagues/<slug:slug>/webhooks/<int:pk>/<slug:action>/", webhooks.act, name="league_webhook"
    ),
    path("leagues/<slug:slug>/review/", review.of_league, name="league_review"),
    path("leagues/<slug:slug>/draw/", organising.draw, name="league_draw"),
    path("leagues/<slug:slug>/draw/back/", organising.take_back, name="league_undraw"),
    path("leagues/<slug:slug>/calendar.ics", calendar.league, name="league_calendar"),
    path("leagues/<slug:slug>/import/", transfer.bring_in, name="league_import"),
    path(
        "leagues/<slug:slug>/import/template.csv", transfer.template, name="league_import_template"
    ),
    path("leagues/<slug:slug>/export/", transfer.take_out, name="league_export"),
    path("leagues/<slug:slug>/fixtures/<int:pk>/", organising.fixture, name="fixture"),
    path(
        "leagues/<slug:slug>/fixtures/<int:pk>/<slug:action>/",
        organising.change_fixture,
        name="fixture_change",
    ),
    path("leagues/<slug:slug>/players/", members.page, name="league_members"),
    path("leagues/<slug:slug>/players/guest/", members.guest, name="league_guest"),
    path("leagues/<slug:slug>/players/link/", members.renew, name="league_renew"),
    path("leagues/<slug:slug>/players/<int:pk>/role/", members.role, name="member_role"),
    path("leagues/<slug:slug>/players/<int:pk>/leave/", members.leave, name="member_leave"),
    path("leagues/<slug:slug>/players/<int:pk>/back/", members.come_back, name="member_return"),
    path("leagues/<slug:slug>/players/<int:pk>/link/", members.guest_link, name="member_link"),
    path("leagues/<slug:slug>/players/<int:pk>/merge/", members.merge, name="member_merge"),
    path("leagues/<slug:slug>/claims/<int:pk>/", members.answer, name="claim_answer"),
]

players = [
    path("players/me/", people.me, name="player_me"),
    path("players/<slug:slug>/", people.player, name="player"),
    path("players/<slug:slug>/change/", people.change, name="player_change"),
    path("players/<slug:slug>/claim/", people.claim, name="player_claim"),
    path("players/merges/<int:pk>/undo/", people.undo_merge, name="merge_undo"),
    path("guests/held/", people.take_held, name="guest_take"),
    path("guests/<str:token>/", people.guest_link, name="guest_claim"),
    path("leaderboards/<slug:key>/", people.leaderboard, name="leaderboard"),
]

tables = [
    path("tables/", hall.index, name="tables"),
    path("tables/new/", hall.new, name="new_table"),
    path("tables/now/", hall.play_now, name="play_now"),
    path("tables/<int:pk>/", present.page, name="table"),
    path("tables/<int:pk>/move/", acts.move, name="table_move"),
    path("tables/<int:pk>/join/<slug:invitation>/", acts.join, name="table_join"),
    path(
        "tables/<int:pk>/replay/<int:round_number>/<int:move>/",
        present.replay,
        name="table_replay",
    ),
    path(
        "tables/<int:pk>/rounds/<int:round_number>/record/", actas.round_record, name="round_acta"
    ),
    path(
        "tables/<int:pk>/rounds/<int:round_number>/record/verdict/",
        actas.round_verdict,
        name="round_verdict",
    ),
    path("tables/<int:pk>/<slug:what>/", acts.act, name="table_act"),
]

matches = [
    path("matches/new/<slug:game>/", opening.among_friends, name="new_match"),
    path("leagues/<slug:slug>/match/", opening.in_league, name="league_new_match"),
    path(
        "leagues/<slug:slug>/rounds/<int:number>/scoresheets/",
        opening.of_round,
        name="round_scoresheets",
    ),
    path("fixtures/<int:pk>/match/", opening.of_fixture, name="fixture_match"),
    path("matches/review/", review.of_site, name="matches_review"),
    path("matches/<int:pk>/", gate.match, name="match"),
    path("matches/key/<slug:key>/", keys.opened, name="match_key"),
    path("matches/<int:pk>/record/", actas.match_record, name="match_acta"),
    path("matches/<int:pk>/record/verdict/", actas.match_verdict, name="match_verdict"),
    path("matches/<int:pk>/confirm/", match_views.confirm, name="match_confirm"),
    path("matches/<int:pk>/dispute/", match_views.dispute, name="match_dispute"),
    path("matches/<int:pk>/settle/", match_views.settle, name="match_settle"),
    path("matches/<int:pk>/void/", match_views.void, name="match_void"),
    path("matches/<int:pk>/again/", match_views.rematch, name="match_rematch"),
    path("matches/<int:pk>/correct/", corrections.correct, name="match_correct"),
    path("matches/<int:pk>/versions/<int:number>/", corrections.restore, name="match_restore"),
]

urlpatterns = [*leagues, *players, *matches, *tables]
