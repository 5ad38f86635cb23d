"""A dominoes match in real browsers: played to the end with a lost connection, a bot and a
spectator.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.book import Positions, TableRows
from tests.e2e.company import DELAY, Company, seals
from tests.e2e.conftest import Visitor
from tests.e2e.fragment import FragmentTiles
from tests.e2e.reading import given_away, readings
from tests.e2e.stream import Stream
from tests.e2e.table import (
    AWAY,
    MINE,
    THEIRS,
    move,
    move_in_one_go,
    moves,
    standing,
    train,
    wait_for_moves,
    wait_while,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.line import ForwardingProxy
    from tests.site import Site

BY_HAND = 4
# Number of moves that the bot makes before the guest returns. A hand has at least about 13 moves.
STOOD_IN = 2
TARGET = 100


@pytest.mark.nightly
def test_match_to_a_hundred_reveals_no_hidden_tiles(
    visit: Visitor, site: Site, line: ForwardingProxy, complaints: list[str]
) -> None:
    """The match is played crosswise (Ruling D-9) to 100 points (D-8), with a lost connection, a
    bot that takes over for a while, and a spectator.
    """
    company = Company(visit, site, line)
    table = company.book.table
    watched = company.listen(f"table-en/{table}")
    assert (
        company.listen(f"seat-en/{table}-0", company.host).status == 404
    )  # not before the match begins
    company.begin()
    own = [company.listen(f"seat-en/{table}-{n}", page) for n, page in enumerate(company.players)]
    expect_closed_to_others(company)

    company.play(BY_HAND, by_hand=True)
    seen = glance(company)
    lose_the_line(company, line)
    back = let_a_bot_take_over(company, line)
    company.play(2, by_hand=True)
    hands = play_to_the_end(company)
    assert {one.bot for one in company.book.made()[back:]} == {""}

    watched.wait_for_end()
    for seat, stream in enumerate((*own, watched)):
        stream.wait_for_end()
        expect_only_the_own(company, stream, seat if stream is not watched else None)
    assert not given_away(readings(company.book, [seen], None))
    expect_late(company.book, watched)
    expect_the_end_on_the_pages(company)
    expect_every_step_to_be_open(company, hands)
    expect_seals_to_hold(company, hands)
    company.disconnect()
    take_out_of(complaints, "ERR_")


def take_out_of(complaints: list[str], expected: str) -> None:
    """Remove the messages that a browser logs about a cut connection."""
    complaints[:] = [said for said in complaints if expected not in said]


def expect_closed_to_others(company: Company) -> None:
    """Check that the feed of a seat is available to its player only."""
    table = company.book.table
    for seat, others in ((0, (company.guest, company.watcher, None)), (1, (company.host, None))):
        for page in others:
            assert company.listen(f"seat-en/{table}-{seat}", page).status == 404
            assert company.listen(f"seat-es/{table}-{seat}", page).status == 404


def glance(company: Company) -> tuple[int, str]:
    """Open the spectator's page in the middle of a hand, and return its moment and its content."""
    page = company.watcher
    page.reload()
    expect(page.locator("#watching")).to_contain_text("can’t see any player’s hand")
    expect(page.locator("[name=tile], .dom-hand")).to_have_count(0)
    refused = page.request.get(f"{company.table}replay/1/1/", headers={"HX-Request": "true"})
    assert refused.status == 404
    told: list[str] = page.locator("#stage").evaluate(
        "stage => [stage.dataset.moment, stage.innerHTML]"
    )
    return int(told[0]), told[1]


def lose_the_line(company: Company, line: ForwardingProxy) -> None:
    """Cut the guest's connection while the host moves. Afterwards the missed moves arrive."""
    if company.turn() is company.guest:
        while standing(company.guest) == MINE:
            move_in_one_go(company.guest)
    wait_while(company.host, THEIRS)
    wait_for_moves(company.guest, moves(company.host))
    stood = moves(company.guest)
    with line.cut():
        move(company.host)
        company.guest.locator("#table[data-line=lost]").wait_for()
        assert moves(company.guest) == stood
    wait_for_moves(company.guest, moves(company.host))
    assert train(company.guest) == train(company.host)


def let_a_bot_take_over(company: Company, line: ForwardingProxy) -> int:
    """Let the guest leave, so that a bot plays on; then let the guest return and take over.

    Return the number of moves made until then.
    """
    guest, host = company.guest, company.host
    guest.get_by_role("button", name="Leave table").click()
    guest.locator("#stage .is-away").wait_for()
    with line.cut():
        play_on_against_the_bot(company)
    wait_for_moves(guest, moves(host))
    assert standing(guest) == AWAY
    expect(host.locator("#stage")).to_contain_text("is playing for this player")
    guest.get_by_role("button", name="I’m back").click()
    guest.locator("#stage:not(:has(.is-away))").wait_for()
    host.get_by_text("is playing for this player").wait_for(state="hidden")
    return len(company.book.made())


def play_on_against_the_bot(company: Company) -> None:
    """Move for the host until the bot has made a few moves."""
    while sum(1 for one in company.book.made() if one.bot) < STOOD_IN:
        if wait_while(company.host, THEIRS) != MINE:
            return
        move_in_one_go(company.host)


def play_to_the_end(company: Company) -> int:
    """Play all hands as fast as the site allows, and return their number."""
    company.play()
    hand = 1
    while not company.is_over():
        hand += 1
        company.deal(hand)
        company.play()
    return hand


def expect_only_the_own(company: Company, stream: Stream, seat: int | None) -> None:
    """Check that each event shows the train and the reader's own hand, and no other tiles.

    The visible tiles must be found in the events. This shows that hidden tiles would be found too.
    """
    found = readings(company.book, [one[:2] for one in stream.events], seat)
    moments = len(company.book.moments())
    assert [one.number for one in found] == list(range(found[0].number, moments + 1))
    assert given_away(found) == []
    for one in found:
        assert one.lying.over or one.drawn == one.lying.open_to(seat), one


def expect_late(book: TableRows, stream: Stream) -> None:
    """Check that spectators see each move as late as the table's delay requires."""
    moments = book.moments()
    early = [
        event.number
        for event in stream.events[:-1]  # the last event is the final result
        if moments[event.number].moves and event.at < moments[event.number].at + DELAY
    ]
    assert early == []


def expect_the_end_on_the_pages(company: Company) -> None:
    """Check that all pages show the winner with 100 points and the final result."""
    for page in (*company.players, company.watcher):
        over = page.locator("#stage .tab-over")
        over.wait_for()
        points = [int(one) for one in over.locator(".tab-places b").all_inner_texts()]
        assert points == sorted(points, reverse=True)
        assert points[0] >= TARGET > points[1]
    match = company.book.match()
    assert match is not None
    assert match[1] == "final"
    company.guest.get_by_role("link", name="Match result").click()
    company.guest.wait_for_url(f"**/{match[0]}/**")
    expect(company.guest.locator("main")).to_contain_text("Blas")


def expect_every_step_to_be_open(company: Company, hands: int) -> None:
    """Check that each step of the replay has an address that shows all tiles in their places."""
    positions, made = Positions(company.book), company.book.made()
    before = 0
    for hand in range(1, hands + 1):
        last = sum(1 for one in made if one.round == hand)
        for step in range(last + 1) if hand == 1 else (0, last):
            lying = positions.after(hand, before + step)
            drawn = FragmentTiles(
                step_of(company.watcher, f"{company.table}replay/{hand}/{step}/")
            ).drawn
            assert set(drawn) == set(lying.laid).union(*lying.held), (hand, step)
        before += last
    step_with_the_keys(company)


def step_of(page: Page, address: str) -> str:
    """Return the fragment of a replay step, as the page requests it."""
    answer = page.request.get(address, headers={"HX-Request": "true"})
    assert answer.status == 200, address
    return answer.text()


def step_with_the_keys(company: Company) -> None:
    """Open a step of the replay by its link, and go to the next one with the arrow key."""
    page = company.guest
    page.goto(f"{company.table}replay/1/3/")
    page.locator("#table.is-scripted").wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/replay/1/4/")
    laid = train(page)
    page.reload()
    assert train(page) == laid
    page.keyboard.press("End")
    page.locator("#stage .dom-outcome").wait_for()


def expect_seals_to_hold(company: Company, hands: int) -> None:
    """Check that each commitment shown before a deal is the digest of what the replay shows
    (F-2).
    """
    page = company.watcher
    for hand in range(1, hands + 1):
        page.goto(f"{company.table}replay/{hand}/0/")
        promised, seed = seals(page)[hand]
        stake = page.locator("#seal pre").text_content() or ""
        assert promised == company.promised[hand]
        assert hashlib.sha256(bytes.fromhex(seed) + stake.encode()).hexdigest() == promised
        assert "as promised" in (page.locator("#seal .tab-checked").text_content() or "")
