"""Text columns in which deleting an account replaces no names, each with the reason.

All other text columns are listed in `accounts.account_deletion.registry.texts`.
"""

from __future__ import annotations

from typing import Final

CODE = "The site's own key, figure, notation, date, digest or seed; nobody writes prose here."
GONE = "The row goes with the account; those of others are their own."
RENAMED = "Changed together with the name it is made of, or of its own player."
ROSTER = "Names in a roster or calendar, which is part of what was drawn and played."
SITE = "Written by administrators about the site."

REASONS: Final = {
    CODE: """
        accounts.Notice.kind accounts.Notice.mail
        actas.Revalidation.engines actas.Revalidation.totals actas.Revalidation.looked_at
        actas.Revalidation.differing actas.Revalidation.places
        admin.LogEntry.object_id
        api.DoneOnce.asked
        auth.Permission.name auth.Permission.codename
        contenttypes.ContentType.app_label contenttypes.ContentType.model
        corridas.Award.detail corridas.Award.key
        corridas.Bull.coat corridas.Bull.state
        corridas.Bundle.head corridas.Bundle.state corridas.Bundle.way
        corridas.Cartel.commitment corridas.Cartel.engine_version corridas.Cartel.seed
        corridas.Change.batch corridas.Change.kind
        corridas.Circuit.roster corridas.Circuit.rules corridas.Circuit.zone
        corridas.CircuitCopy.reason corridas.CircuitCopy.state
        corridas.Commitment.window
        corridas.Corrida.origin corridas.Corrida.state corridas.Corrida.turnout
        corridas.Deck.cards corridas.Deck.digest
        corridas.DeckScores.counts corridas.DeckScores.deck corridas.DeckScores.reason
        corridas.DeckScores.rules
        corridas.EarlierPalmares.scope corridas.EarlierRecord.key corridas.EarlierRecord.scope
        corridas.Ganaderia.continent corridas.Ganaderia.country
        corridas.Injury.grade
        corridas.Lidia.draws corridas.Lidia.ending
        corridas.Matador.form corridas.Matador.state
        corridas.MatadorCard.aplausos corridas.MatadorCard.aviso corridas.MatadorCard.bronca
        corridas.MatadorCard.division corridas.MatadorCard.dos_orejas corridas.MatadorCard.indulto
        corridas.MatadorCard.oreja corridas.MatadorCard.ovacion corridas.MatadorCard.pitos
        corridas.MatadorCard.rabo corridas.MatadorCard.silencio corridas.MatadorCard.vuelta
        corridas.Plaza.continent corridas.Plaza.country
        corridas.RecordBook.scope
        corridas.Reservation.asked corridas.Reservation.stage corridas.Reservation.trio
        corridas.Run.fallen corridas.Run.state corridas.Run.stop_on
        corridas.Season.commitment corridas.Season.pars corridas.Season.rules corridas.Season.seed
        corridas.TableCorrida.evidence
        corridas.Winter.commitment corridas.Winter.known corridas.Winter.seed
        eltoro.Keeping.commitment eltoro.Keeping.log eltoro.Keeping.mode eltoro.Keeping.seed
        events.Event.kind events.Event.subject
        leagues.Delivery.cause leagues.Delivery.failure leagues.Delivery.identifier
        leagues.Delivery.kind leagues.Delivery.state
        leagues.Fixture.before_close leagues.Fixture.reasons leagues.Fixture.state
        leagues.League.format leagues.League.game leagues.League.invitation leagues.League.profile
        leagues.League.rules leagues.League.rules_hash leagues.League.scoring leagues.League.seed
        leagues.League.tie_breaks leagues.League.uid leagues.League.visibility leagues.League.zone
        leagues.Match.game leagues.Match.key leagues.Match.origin leagues.Match.rules
        leagues.Match.rules_hash leagues.Match.state leagues.Proposal.outcome
        leagues.Member.role
        leagues.Pool.game leagues.Rating.game leagues.Recount.game leagues.Result.game
        leagues.Round.byes leagues.Round.excused
        leagues.SiteIdentity.uid
        leagues.Sheet.evidence leagues.Sheet.places leagues.Sheet.points
        leagues.Table.game leagues.Table.invitation leagues.Table.pace leagues.Table.points
        leagues.Table.profile leagues.Table.rules leagues.Table.rules_hash leagues.Table.seating
        leagues.Table.state leagues.Table.watch
        leagues.TableMoment.event leagues.TableMoment.points leagues.TableMoment.seats
        leagues.TableMoment.state
        leagues.TableMove.bot leagues.TableMove.text
        leagues.TableRound.commitment leagues.TableRound.points leagues.TableRound.seed
        leagues.TableRound.stake
        leagues.TableSeat.bot
        leagues.Webhook.kinds leagues.Webhook.old_secret leagues.Webhook.secret
        leagues.Webhook.stopped
        search.Entry.kind
    """,
    GONE: """
        account.EmailAddress.email account.EmailConfirmation.key
        accounts.Choice.kind accounts.Choice.ways
        accounts.Departure.reason
        accounts.User.email accounts.User.first_name accounts.User.language
        accounts.User.last_name accounts.User.password accounts.User.theme
        accounts.User.username accounts.User.zone
        api.DoneOnce.key
        api.Token.digest api.Token.name api.Token.prefix api.Token.scope
        mfa.Authenticator.data mfa.Authenticator.type
        usersessions.UserSession.data usersessions.UserSession.ip
        usersessions.UserSession.session_key usersessions.UserSession.user_agent
    """,
    RENAMED: """
        corridas.Circuit.slug
        leagues.FormerName.name leagues.League.slug leagues.Player.name leagues.Player.slug
        search.Entry.words
    """,
    ROSTER: """
        corridas.Bull.name
        corridas.Circuit.calendar
        corridas.EarlierPalmares.of corridas.EarlierRecord.of
        corridas.Feria.name corridas.Feria.slug
        corridas.Ganaderia.encaste corridas.Ganaderia.name corridas.Ganaderia.slug
        corridas.Matador.alternativa_place corridas.Matador.apodo corridas.Matador.birthplace
        corridas.Matador.born corridas.Matador.country corridas.Matador.deathplace
        corridas.Matador.distinction
        corridas.Matador.died corridas.Matador.name corridas.Matador.slug corridas.Matador.style
        corridas.Plaza.city corridas.Plaza.name corridas.Plaza.slug
        corridas.RecordBook.of
        corridas.Winter.news corridas.Commitment.window corridas.Corrida.turnout
        corridas.Reservation.asked corridas.Reservation.stage corridas.Reservation.trio
        corridas.Season.pars empresas.Concession.end
    """,
    SITE: """
        auth.Group.name
        eltoro.BoardDesign.digest eltoro.BoardDesign.key eltoro.BoardDesign.name
        eltoro.BoardDesign.text
    """,
    "The seal of what was played contains the old address.": "corridas.Circuit.promised_as",
    "The words that the roster was drawn from, without which nobody can check it.": (
        "corridas.Circuit.roster_seed"
    ),
    "Somebody's copy of their own data, which is deleted after three days.": (
        "accounts.ExportPart.content"
    ),
    "A season's file is deleted when the name of its circuit changes; see its own test.": (
        "corridas.BundlePart.data"
    ),
    "Numbers, addresses of circuits and notation of somebody else, for two weeks.": (
        "sessions.Session.session_data sessions.Session.session_key"
    ),
    "Identifies a game in a file; if it changed, the game would be imported twice.": (
        "leagues.Match.external_id"
    ),
    "An address of another site, at which nothing would arrive any more.": "leagues.Webhook.url",
}


def reasons() -> dict[str, str]:
    """Return the reason by column, as `app.Model.column`."""
    return {column: why for why, columns in REASONS.items() for column in columns.split()}
