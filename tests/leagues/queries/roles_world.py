"""A league with a person for every relation that permission rules distinguish."""

from __future__ import annotations

from leagues.members.operations.membership import add_guest
from leagues.models import League, Member, Player
from tests.leagues import game, world
from tests.leagues.world import NOW

# The people are in this order: nobody is signed in; a stranger; a member of staff; a superuser; an
# organiser of another league; a playing member; a name merged into that member; an account into
# which a guest member was merged; a guest; a member who does not play; a member who withdrew; an
# organiser who withdrew but still has the role; a scorer; an organiser; an organiser who does not
# play.
WHO = (
    "nobody",
    "stranger",
    "staff",
    "office",
    "elsewhere",
    "player",
    "alias",
    "absorber",
    "guest",
    "idle",
    "withdrawn",
    "left organiser",
    "scorer",
    "organiser",
    "idle organiser",
)

OFFICE = frozenset({"office"})
ORGANISERS = frozenset({"organiser", "idle organiser", "left organiser"})
SCORERS = ORGANISERS | {"scorer"}
PLAYERS = frozenset({"player", "alias", "absorber", "guest", "scorer", "organiser"})
MEMBERS = SCORERS | PLAYERS | {"idle", "withdrawn"}
EVERYBODY = frozenset(WHO)

People = dict[str, Player | None]


def gather() -> People:
    """Create all people, who are in no league yet."""
    game.register()
    apart = {"nobody", "office", "staff", "guest", "alias"}
    people: People = {"nobody": None} | {
        name: world.account(name) for name in WHO if name not in apart
    }
    people["office"] = world.account("office", is_superuser=True)
    people["staff"] = world.account("staff", is_staff=True)
    world.found_league(
        player_named(people, "elsewhere"), visibility=League.Visibility.PUBLIC, name="Other"
    )
    return people


def player_named(people: People, name: str) -> Player:
    """Return a person who has a player."""
    found = people[name]
    assert found is not None
    return found


def league_of(people: People, **fields: object) -> League:
    """Create a league in which all people except strangers have the roles that their names say."""
    league = world.found_league(player_named(people, "organiser"), **fields)
    for name in ("player", "idle", "withdrawn", "left organiser", "scorer", "idle organiser"):
        world.enter_league(league, player_named(people, name))
    guest = add_guest(league=league, name="guest", by=player_named(people, "organiser"), at=NOW)
    absorbed = add_guest(
        league=league, name="absorbed", by=player_named(people, "organiser"), at=NOW
    )
    people["guest"] = guest.player
    _merge(absorbed.player, player_named(people, "absorber"))
    people["alias"] = _merge(world.guest("alias"), player_named(people, "player"))
    world.give_role(league, player_named(people, "scorer"), Member.Role.SCORER)
    for name in ("idle organiser", "left organiser"):
        world.give_role(league, player_named(people, name), Member.Role.ORGANISER)
    rows = Member.objects.filter(league=league)
    for name in ("idle", "idle organiser"):
        rows.filter(player=people[name]).update(plays=False)
    for name in ("withdrawn", "left organiser"):
        rows.filter(player=people[name]).update(withdrawn_at=NOW)
    return league


def _merge(absorbed: Player, kept: Player) -> Player:
    absorbed.merged_into = kept
    absorbed.save(update_fields=["merged_into"])
    return absorbed
