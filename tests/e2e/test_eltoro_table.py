"""El Toro at an online table with six seats, two of them in browsers: three days, with a
spectator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import ViewportSize, expect

from eltoro.engine import DECK
from eltoro.stage.sentences import card_kind
from tests.e2e.book import TableRows
from tests.e2e.conftest import DESK, PHONE, Visitor, take_the_chair
from tests.e2e.stream import Stream, cookies
from tests.e2e.street import Record, decide, fullness, kinds_held, lay_table, wait_for_turn
from tests.e2e.table import (
    invitation,
    moves,
    sit_down,
    wait_for_moves,
    wait_for_script,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.line import ForwardingProxy
    from tests.site import Site

DELAY = 1
# Number of decisions after which the phone's connection is cut.
CUT_AT = 6
MOST = 100
# Number of decisions by two players that is enough to see that a table works.
A_WHILE = 8
KIND = {card.key: card_kind(card) for card in DECK}


def test_two_players_and_a_spectator_follow_each_others_moves(visit: Visitor, site: Site) -> None:
    """The host uses a desktop, the guest a phone. The spectator sees the moves later."""
    host, guest, watcher = visit(viewport=DESK), visit(), visit()
    table = begin_table(host, guest, watcher, seats=2)
    played: set[str] = set()
    for _decision in range(A_WHILE):
        page = wait_for_turn(host, guest)
        assert page is not None
        played.add(decide(page, played))
    made = len(TableRows(site, table).made())
    assert made >= A_WHILE
    for page in (host, guest, watcher):
        wait_for_moves(page, made)
        expect_it_to_fit(page)


# JavaScript that chooses each card at the lower edge of the window, and returns the cards that are
# then covered by something.
COVERED = """() => [...document.querySelectorAll(".elt-card input[name=card]")].filter(input => {
    input.closest("label").scrollIntoView({block: "end"});
    input.click();
    const card = input.closest("label").getBoundingClientRect();
    const x = (Math.max(card.left, 0) + Math.min(card.right, innerWidth)) / 2;
    return [.1, .5, .9].some(part => {
        const shown = document.elementFromPoint(x, card.top + part * card.height);
        return !input.closest("label").contains(shown);
    });
}).map(input => input.dataset.name)"""


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(PHONE, id="phone"),
        pytest.param(DESK, id="desk", marks=pytest.mark.nightly),
    ],
)
def test_targets_of_a_card_never_cover_the_chosen_card(visit: Visitor, size: ViewportSize) -> None:
    host, guest, watcher = visit(viewport=size), visit(viewport=size), visit()
    begin_table(host, guest, watcher, seats=2)
    page = wait_for_turn(host, guest)
    while page and not page.locator(".elt-card input[name=card]").count():
        decide(page, set())
        page = wait_for_turn(host, guest)
    assert page is not None
    assert page.evaluate(COVERED) == []
    expect_it_to_fit(page)


@pytest.mark.nightly
def test_six_seats_play_three_days_of_el_toro(
    visit: Visitor, site: Site, line: ForwardingProxy, complaints: list[str]
) -> None:
    """Two people and four bots play.

    Every kind of card that the people are dealt is played by one of them.
    """
    host, guest, watcher = visit(viewport=DESK), visit(base_url=line.url), visit()
    table = begin_table(host, guest, watcher)
    book = TableRows(site, table)
    watched = Stream(site.port, f"/live/table-en/{book.table}/")
    seated = Stream(site.port, f"/live/seat-en/{book.table}-0/", cookies(host))
    closed = Stream(site.port, f"/live/seat-en/{book.table}-0/", cookies(guest))
    assert closed.status == 404

    played, dealt = play_out(host, guest, line)
    for page in (host, guest, watcher):
        page.locator("#stage .tab-over").wait_for()
    for stream in (watched, seated):
        stream.wait_for_end()
    record = Record(book)
    expect_three_days(record, played, dealt)
    expect_nothing_hidden(record, watched, None)
    expect_nothing_hidden(record, seated, 0)
    expect_the_watcher_to_be_late(record, watched)
    expect_every_hand_in_the_replay(guest, table)
    complaints[:] = [said for said in complaints if "ERR_" not in said]  # the line was cut


def begin_table(host: Page, guest: Page, watcher: Page, seats: int = 6) -> str:
    """Create the table, let the guest and the spectator come, and start the match."""
    take_the_chair(host)
    table = lay_table(host, seats, seconds="900", delay=str(DELAY), watch="anybody")
    guest.goto(invitation(host))
    sit_down(guest, "Blas")
    watcher.goto(table)
    host.get_by_role("button", name="Start match").click()
    for page in (host, guest):
        page.locator("#stage[data-seat][data-state=playing]").wait_for()
        wait_for_script(page)
    wait_for_script(watcher)
    return table


def play_out(host: Page, guest: Page, line: ForwardingProxy) -> tuple[set[str], set[str]]:
    """Make all decisions of both people, cut the connection once, and return the kinds of cards
    played and dealt.
    """
    played: set[str] = set()
    dealt: set[str] = set()
    for number in range(MOST):
        page = wait_for_turn(host, guest)
        if page is None:
            return played, dealt
        held = kinds_held(page)
        if number == CUT_AT:
            cut_off(host, guest, line)
            expect_it_to_fit(page)
        kind = decide(page, played)
        if kind:
            dealt |= held
            played.add(kind)
    raise AssertionError("The game does not end.")


def cut_off(host: Page, guest: Page, line: ForwardingProxy) -> None:
    """Cut the phone's connection for a while. Afterwards the missed moves arrive."""
    with line.cut():
        guest.locator("#table[data-line=lost]").wait_for()
    guest.locator("#table[data-line=open]").wait_for()
    wait_for_moves(guest, moves(host))


def expect_it_to_fit(page: Page) -> None:
    """Check that the page fits its window, and that chips are as large as a finger."""
    assert fullness(page) <= 0
    sizes: list[list[float]] = page.locator("#stage .elt-chip").evaluate_all(
        "chips => chips.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
    )
    assert all(min(size) >= 44 for size in sizes[:1] if size[0])


def expect_three_days(record: Record, played: set[str], dealt: set[str]) -> None:
    """Check that people played every kind of card they held, and that the log is a complete
    game.
    """
    end = record.after(len(record.made))
    assert end.match_over
    assert end.game is not None
    assert len(end.game.day_points) == 3
    assert {one.seat for one in record.made} == set(range(6))
    cards = [one for one in record.made if one.text.startswith("play ")]
    kinds = {KIND[one.text.split()[1]] for one in cards if not one.bot}
    assert kinds == played
    assert dealt <= played, dealt - played
    assert len({KIND[one.text.split()[1]] for one in cards}) >= 6


def expect_nothing_hidden(record: Record, stream: Stream, seat: int | None) -> None:
    """Check that no event reveals a card of another hand, or the seed."""
    stream.wait_for_end()
    told = [
        (event.number, record.given_away(event.number, event.data, seat)) for event in stream.events
    ]
    assert [(number, found) for number, found in told if found] == []


def expect_the_watcher_to_be_late(record: Record, watched: Stream) -> None:
    """Check that spectators see each move as late as the table's delay requires."""
    early = [
        event.number
        for event in watched.events[:-1]  # the last event is the final result
        if record.moments[event.number].moves and event.at < record.moments[event.number].at + DELAY
    ]
    assert early == []


def expect_every_hand_in_the_replay(page: Page, table: str) -> None:
    """Check that the replay of a finished game shows all hands at each step."""
    answer = page.request.get(f"{table}replay/1/3/", headers={"HX-Request": "true"})
    assert answer.status == 200
    assert answer.text().count("<li") > 6
    page.goto(f"{table}replay/1/3/")
    page.locator("#table.is-scripted").wait_for()
    expect(page.locator(".elt-open-hands li")).to_have_count(6)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/replay/1/4/")
