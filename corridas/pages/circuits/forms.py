"""Forms to create a circuit, change its settings and calendar, and offer it to a new director."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.forms.utils import flatatt
from django.utils.dates import MONTHS, WEEKDAYS
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _g
from django.utils.translation import gettext_lazy as _

from accounts.time_zones import ZoneField
from core.edit_forms import EditForm
from core.names.forms import CleanCharField
from core.names.text import sort_key
from corridas.calendar_faults import calendar_fault, sentence_of
from corridas.circuits.calendar_checks import (
    ANY_YEAR,
    overlap_error,
    refused_overlap,
    too_many_entries,
)
from corridas.circuits.operations import (
    MAX_NAME_LENGTH,
    MAX_SEED_LENGTH,
    PACES_MS,
    YEARS,
    Founding,
    Settings,
)
from corridas.engine import CHOICES
from corridas.errors import OperationError
from corridas.game import LABELS
from corridas.models import Circuit
from corridas.simulation.new_circuit import shipped
from corridas.world.calendar import (
    EASTER_RANGE,
    LONGEST_YEAR,
    MAX_ENTRIES,
    CalendarEntry,
    CalendarError,
    Start,
    first_break,
)

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

DAYS: Final = [
    ("daily", _("every day")),
    ("alternate", _("every other day")),
    ("weekend", _("Saturdays and Sundays")),
    ("sunday", _("Sundays")),
]
KINDS: Final = [
    ("date", _("a fixed day of the year")),
    ("easter", _("days from Easter")),
    ("weekday", _("a given day of the week on or after a date")),
]
# Maps each kind of rule for the first day of a feria to the form fields that describe it. Other
# fields are ignored.
PARTS: Final = {
    "date": ("day", "month"),
    "easter": ("offset",),
    "weekday": ("weekday", "day", "month"),
}
LACKING: Final = {
    "offset": _("Enter the number of days from Easter Sunday."),
    "day": _("Enter the day of the month."),
    "month": _("Choose the month."),
}
SUNDAY: Final = 6
# Number of empty rows shown below the filled rows of a calendar form.
MORE: Final = 4
SELECTED: Final = mark_safe(" selected")
# Maximum number of calendar rows that the form shows and reads. For a longer calendar the page only
# offers to leave it unchanged.
MAX_PAGE_ROWS: Final = 1000
Plazas = Sequence[tuple[str, str]]


def shipped_plazas() -> list[tuple[str, str]]:
    return _plaza_choices((plaza.slug, plaza.city, plaza.name) for plaza in shipped().plazas)


def plazas_of(circuit: Circuit) -> list[tuple[str, str]]:
    held = circuit.plazas.filter(archived_at=None)
    return _plaza_choices(held.values_list("slug", "city", "name"))


def _plaza_choices(rows: Iterable[tuple[str, str, str]]) -> list[tuple[str, str]]:
    named = ((slug, f"{city}, {name}") for slug, city, name in rows)
    return sorted(named, key=lambda row: sort_key(row[1]))


class PlainSelect(forms.Select):
    """A select widget that is rendered without templates.

    A calendar form with 500 rows has 45,000 options, and rendering them with templates is slow.
    """

    def render(
        self, name: str, value: object, attrs: Any = None, renderer: object = None
    ) -> SafeString:
        chosen = set(self.format_value(value))
        options = format_html_join(
            "",
            '<option value="{}"{}>{}</option>',
            ((key, SELECTED if str(key) in chosen else "", label) for key, label in self.choices),
        )
        given = flatatt(self.build_attrs(self.attrs, attrs))
        return format_html('<select name="{}"{}>{}</select>', name, given, options)


class EntryForm(forms.Form):
    """A row of the calendar form. A row without a plaza and a first day counts as empty."""

    plaza = forms.ChoiceField(label=_("Plaza"), required=False, widget=PlainSelect)
    feria = CleanCharField(
        label=_("Feria"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    kind = forms.ChoiceField(
        label=_("First day"), choices=KINDS, required=False, initial="date", widget=PlainSelect
    )
    offset = forms.IntegerField(
        label=_("Days from Easter Sunday"),
        help_text=_(
            "Enter 49 for 49 days after Easter Sunday, −1 for the day before it, or 0 for "
            "Easter Sunday itself."
        ),
        min_value=EASTER_RANGE[0],
        max_value=EASTER_RANGE[1],
        required=False,
    )
    weekday = forms.TypedChoiceField(
        label=_("Weekday"),
        choices=list(WEEKDAYS.items()),
        coerce=int,
        required=False,
        initial=SUNDAY,
        widget=PlainSelect,
    )
    day = forms.IntegerField(label=_("Day"), min_value=1, max_value=31, required=False)
    month = forms.TypedChoiceField(
        label=_("Month"),
        choices=[("", "–"), *MONTHS.items()],
        coerce=int,
        empty_value=None,
        required=False,
        widget=PlainSelect,
    )
    corridas = forms.IntegerField(
        label=_("Corridas"), min_value=1, max_value=LONGEST_YEAR, required=False, initial=1
    )
    days = forms.ChoiceField(
        label=_("Days"), choices=DAYS, required=False, initial="daily", widget=PlainSelect
    )

    def __init__(self, *args: Any, plazas: Plazas, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["plaza"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "–"), *plazas]
        self.cities = {slug: words.split(",")[0] for slug, words in plazas}

    def clean(self) -> dict[str, object]:
        given = super().clean() or {}
        given["kind"] = given.get("kind") or "date"
        counting = PARTS[given["kind"]]
        for name in {"offset", "weekday", "day", "month"} - {*counting} & {*self.errors}:
            del self.errors[name]
        wanted = [name for name in counting if name in LACKING]
        lacking = [name for name in wanted if given.get(name) is None and name not in self.errors]
        begun = bool(given.get("feria")) or len(lacking) < len(wanted)
        if given.get("plaza") or begun:
            for name in lacking:
                self.add_error(name, LACKING[name])
        if given.get("weekday") in (None, ""):
            given["weekday"] = SUNDAY
        if begun and not given.get("plaza") and "plaza" not in self.errors:
            self.add_error("plaza", _("Choose a plaza."))
        if not self.errors and begun and "day" in wanted:
            self._check_day(given["day"], given["month"])
        return given

    def _check_day(self, day: int, month: int) -> None:
        named = {"day": day, "month": MONTHS[month]}
        if (day, month) == (29, 2):
            self.add_error(
                "day", _("29 February does not exist in every year. Choose 28 February or 1 March.")
            )
        elif day > monthrange(ANY_YEAR, month)[1]:
            self.add_error("day", _("%(month)s does not have %(day)s days.") % named)

    def entry(self) -> CalendarEntry | None:
        given = self.cleaned_data
        if not given.get("plaza"):
            return None
        parts = {name: given[name] for name in PARTS[given["kind"]]}
        named = given["feria"] or _g("Corridas in %s") % self.cities[given["plaza"]]
        return CalendarEntry(
            named,
            given["plaza"],
            str(Start(given["kind"], **parts)),
            given["corridas"] or 1,
            given["days"] or "daily",
        )


def row_of(entry: CalendarEntry) -> dict[str, object]:
    """Return the initial form values of a calendar entry.

    If the rule for its first day cannot be parsed, these fields are left out.
    """
    start = Start.parse(entry.starts)
    if start is None:
        return entry._asdict()
    parts = {name: getattr(start, name) for name in PARTS[start.kind]}
    return entry._asdict() | parts | {"kind": start.kind}


if TYPE_CHECKING:  # Django's class is generic only in the type stubs
    EntryRows = forms.BaseFormSet[EntryForm]
else:
    EntryRows = forms.BaseFormSet


class _Rows(EntryRows):
    """The formset with all rows of a calendar.

    It checks that the dates are possible in the years of the next seasons. `stored` are the rows of
    the current calendar, which may be saved unchanged even if they break a rule.
    """

    years: Sequence[int] = ()
    stored: Sequence[CalendarEntry] = ()

    @property
    def room(self) -> int:
        return max(MAX_ENTRIES, len(self.stored))

    @property
    def full(self) -> bool:
        """Return whether the calendar form has the maximum number of rows."""
        return self.total_form_count() >= self.room

    def clean(self) -> None:
        if any(self.errors):
            return
        self._dated = [(form, entry) for form in self.forms if (entry := form.entry())]
        entries = [entry for _form, entry in self._dated]
        if entries and entries == list(self.stored):
            return
        if not entries:
            raise forms.ValidationError(_("Enter at least one row with a plaza and a first day."))
        if len(entries) > self.room:
            raise forms.ValidationError(too_many_entries(len(entries), self.room))
        if error := first_break(entries, self.years):
            self._refuse(error)
        elif clash := refused_overlap(entries, self.years[0]):
            self._form_of(clash.entry).add_error("kind", overlap_error(clash))

    def _refuse(self, error: CalendarError) -> None:
        """Add an error about an impossible date to the row of the form that causes it."""
        if error.entry is None:
            raise forms.ValidationError(calendar_fault(error))
        form, year = self._form_of(error.entry), error.params["year"]
        if error.code == "too_long":
            form.add_error("corridas", sentence_of(error))
            return
        offset = form.cleaned_data["offset"] or 0
        by_easter = form.cleaned_data["kind"] == "easter"
        if by_easter and offset < 0:
            message = _("In %s, that day would be in the previous year. Choose a later day.")
        else:
            message = _("In %s, that day would be in the following year. Choose an earlier day.")
        form.add_error("offset" if by_easter else "day", message % year)

    def _form_of(self, entry: CalendarEntry) -> EntryForm:
        return next(form for form, own in self._dated if own is entry)

    def entries(self) -> list[CalendarEntry]:
        return [entry for form in self.forms if (entry := form.entry())]


def rows_form(
    plazas: Plazas,
    years: Sequence[int],
    data: Mapping[str, object] | None = None,
    first: Sequence[CalendarEntry] = (),
) -> _Rows:
    """Return the formset of calendar rows.

    It is filled with the submitted `data`, or with the stored entries `first` if nothing was
    submitted.
    """
    initial = [row_of(entry) for entry in first] if data is None else None
    return _rows(plazas, years, first, data, initial=initial or None)


def more_rows(
    plazas: Plazas,
    years: Sequence[int],
    data: Mapping[str, object],
    first: Sequence[CalendarEntry] = (),
) -> _Rows:
    """Return the formset with the submitted rows, not validated, and more empty rows below."""
    written = []
    total = str(data.get("rows-TOTAL_FORMS"))
    count = int(total) if total.isascii() and total.isdecimal() and len(total) < 6 else 0
    for number in range(min(count, max(MAX_PAGE_ROWS, len(first)) + MORE)):
        row = {name: data.get(f"rows-{number}-{name}", "") for name in EntryForm.base_fields}
        if any(row[name] for name in ("plaza", "feria", "offset", "day", "month")):
            written.append(row)
    return _rows(plazas, years, first, initial=written)


def _rows(
    plazas: Plazas,
    years: Sequence[int],
    stored: Sequence[CalendarEntry],
    data: Mapping[str, object] | None = None,
    *,
    initial: Any = None,
) -> _Rows:
    most = {"most": max(MAX_ENTRIES, len(stored))}
    made = forms.formset_factory(
        EntryForm,
        formset=_Rows,
        extra=MORE,
        max_num=max(MAX_ENTRIES, len(stored)),
        # If too many rows were submitted, the form still shows all of them, so that none is lost.
        absolute_max=max(MAX_PAGE_ROWS, len(stored)) + MORE,
    )
    rows = made(
        data,
        initial=initial,
        prefix="rows",
        form_kwargs={"plazas": plazas},
        error_messages={"too_many_forms": _("A calendar can have at most %(most)s rows.") % most},
    )
    assert isinstance(rows, _Rows)
    rows.years, rows.stored = years, stored
    return rows


class CalendarForm(forms.Form):
    """The form to choose a calendar.

    The rows of a custom calendar are in a formset of their own.
    """

    CALENDARS: Final = [
        ("shipped", _("the full calendar: %s dates from January to December")),
        ("first", _("only first-category plazas")),
        ("some", _("a few ferias, which you choose below")),
        ("own", _("your own calendar, which you enter below")),
    ]

    calendar = forms.ChoiceField(
        label=_("Calendar"), initial="shipped", widget=forms.RadioSelect, choices=[]
    )
    ferias = forms.MultipleChoiceField(
        label=_("Ferias"), required=False, widget=forms.CheckboxSelectMultiple, choices=[]
    )

    def __init__(self, *args: Any, plazas: Plazas, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.held = dict(plazas)
        self.known = [entry for entry in shipped().ferias if entry.plaza in self.held]
        total = sum(entry.corridas for entry in self.known)
        calendar, ferias = self.fields["calendar"], self.fields["ferias"]
        assert isinstance(calendar, forms.ChoiceField)
        assert isinstance(ferias, forms.ChoiceField)
        calendar.choices = [
            (key, words % total if key == "shipped" else words) for key, words in self.CALENDARS
        ]
        ferias.choices = [
            (str(number), f"{entry.feria}, {self.held[entry.plaza]} ({entry.corridas})")
            for number, entry in enumerate(self.known)
        ]

    def clean(self) -> dict[str, object]:
        given: dict[str, object] = super().clean() or {}
        if given.get("calendar") == "some" and not given.get("ferias"):
            self.add_error("ferias", _("Choose at least one feria."))
        return given

    @property
    def own(self) -> bool:
        return bool(self.is_bound and self.data.get("calendar") == "own")

    def entries(self, rows: _Rows) -> list[CalendarEntry] | None:
        """Return the entries of the chosen calendar, or None for the shipped one.

        The form must be valid.
        """
        kind = self.cleaned_data["calendar"]
        if kind == "own":
            return rows.entries()
        if kind == "first":
            first = {plaza.slug for plaza in shipped().plazas if plaza.category == 1}
            return [entry for entry in self.known if entry.plaza in first]
        if kind == "some":
            return [self.known[int(number)] for number in self.cleaned_data["ferias"]]
        return None


VISIBILITY: Final = [
    ("public", _("public: anyone can watch")),
    ("private", _("private: only you can see it")),
]
# Rules that a circuit can choose, each with its label and the meaning of its values (Rulings I-3,
# I-6, I-11).
OPTIONS: Final[Mapping[str, tuple[str, dict[str, _StrPromise]]]] = {
    "shuffle": (
        LABELS["shuffle"][0],
        {
            "each_bull": _("before every bull, so that every lidia is independent of the others"),
            "when_exhausted": _("when no cards are left, so one deck lasts for the whole corrida"),
        },
    ),
    "bull_reading": (
        LABELS["bull_reading"][0],
        {
            "same_card": _("read the BULL line of the same card"),
            "next_card": _("read the BULL line of the next card"),
        },
    ),
    "bull_points": (
        LABELS["bull_points"][0],
        {
            "separate": _("are kept separate and only decide whether an indulto is requested"),
            "against": _("are deducted from the matador’s score"),
            "for": _("are added to the matador’s score: a great bull makes a great lidia"),
        },
    ),
}
ROSTERS: Final = [
    (Circuit.Roster.LEGENDS.value, _("the legends: fifty masters from three centuries")),
    (Circuit.Roster.GENERATED.value, _("invented: matadors and herds that never existed")),
    (
        Circuit.Roster.IMPORTED.value,
        _("your own roster: start with empty lists and import your data"),
    ),
]


class FoundingForm(CalendarForm):
    field_order = ["name", "visibility", *OPTIONS, "roster", "seed", "year", "calendar", "ferias"]

    name = CleanCharField(label=_("Name"), max_length=MAX_NAME_LENGTH)
    visibility = forms.ChoiceField(
        label=_("Who can see its pages"),
        choices=VISIBILITY,
        initial="public",
        widget=forms.RadioSelect,
    )
    roster = forms.ChoiceField(
        label=_("Roster"),
        choices=ROSTERS,
        initial=Circuit.Roster.LEGENDS.value,
        widget=forms.RadioSelect,
    )
    seed = forms.CharField(
        label=_("Seed for the invented roster"),
        max_length=MAX_SEED_LENGTH,
        required=False,
        help_text=_("Enter any words. The same words always give the same matadors and herds."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    year = forms.IntegerField(label=_("First season"), min_value=YEARS[0], max_value=YEARS[1])

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, plazas=shipped_plazas(), **kwargs)
        for name, (label, values) in OPTIONS.items():
            self.fields[name] = forms.ChoiceField(
                label=label,
                choices=list(values.items()),
                initial=CHOICES[name][0],
                widget=forms.RadioSelect,
            )
        self.order_fields(self.field_order)

    @property
    def options(self) -> list[forms.BoundField]:
        return [self[name] for name in OPTIONS]

    def founding(self, entries: Sequence[CalendarEntry] | None) -> Founding:
        given = self.cleaned_data
        return Founding(
            name=given["name"],
            year=given["year"],
            public=given["visibility"] == "public",
            rules={name: given[name] for name in OPTIONS},
            roster=Circuit.Roster(given["roster"]),
            seed=given["seed"],
            calendar=entries,
        )


class PaceForm(forms.Form):
    """The form for the pace of broadcasts: a named pace, or any number of seconds per card."""

    OWN = "own"
    PACES = [
        ("6", _("Slow: six seconds per card, leaving time to explain each one")),
        ("3", _("Calm: three seconds per card, easy to follow")),
        ("1.2", _("Brisk: a little over a second per card")),
        ("0.25", _("Fast: four cards a second")),
        (OWN, _("Your own pace")),
    ]

    pace = forms.ChoiceField(label=_("Pace"), choices=PACES, widget=forms.RadioSelect)
    seconds = forms.DecimalField(
        label=_("Seconds per card"),
        required=False,
        min_value=PACES_MS[0] / Decimal(1000),
        max_value=PACES_MS[1] / Decimal(1000),
        widget=forms.NumberInput(attrs={"step": "0.05"}),
    )

    def clean(self) -> dict[str, object]:
        given: dict[str, object] = super().clean() or {}
        if given.get("pace") != self.OWN:
            self.errors.pop("seconds", None)
        elif given.get("seconds") is None and "seconds" not in self.errors:
            self.add_error("seconds", _("Enter the seconds per card."))
        return given

    def pace_ms(self) -> int:
        chosen: str = self.cleaned_data["pace"]
        seconds = self.cleaned_data["seconds"] if chosen == self.OWN else Decimal(chosen)
        return int(seconds * 1000)


def pace_initial(pace_ms: int) -> dict[str, object]:
    """Return the initial values of `PaceForm` for a pace in milliseconds per card."""
    seconds = Decimal(pace_ms) / 1000
    named = {Decimal(value): value for value, _label in PaceForm.PACES if value != PaceForm.OWN}
    return {"pace": named.get(seconds, PaceForm.OWN), "seconds": f"{seconds.normalize():f}"}


class SettingsForm(EditForm, PaceForm):
    """The settings of a circuit.

    Only fields that the user changed are saved, so that changes made by somebody else in the
    meantime are not overwritten.
    """

    name = CleanCharField(label=_("Name"), max_length=MAX_NAME_LENGTH)
    visibility = forms.ChoiceField(
        label=_("Who can see its pages"), choices=VISIBILITY, widget=forms.RadioSelect
    )
    always_on_air = forms.BooleanField(
        label=_("Always on air: as soon as one corrida ends, the next one begins."),
        required=False,
    )
    evening = forms.TimeField(
        label=_("Hour of the daily corrida"),
        required=False,
        help_text=_(
            "Leave this empty if there should be no daily corrida. A missed corrida is not "
            "held later."
        ),
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )
    zone = ZoneField(label=_("Time zone"))
    tables_count = forms.BooleanField(
        label=_(
            "Corridas played at real tables and entered by their players count in the escalafón."
        ),
        required=False,
    )

    circuit: Circuit

    @classmethod
    def of(cls, circuit: Circuit, data: Any = None) -> SettingsForm:
        names = ("name", "always_on_air", "evening", "zone", "tables_count")
        first = {name: getattr(circuit, name) for name in names} | pace_initial(circuit.pace_ms)
        visibility = "public" if circuit.public else "private"
        form = cls(data, initial={**first, "visibility": visibility})
        form.compare_with_shown()
        form.circuit = circuit
        return form

    def settings(self) -> Settings:
        changes = self.changes()
        if {"pace", "seconds"} & {*changes}:
            changes["pace_ms"] = self.pace_ms()
        if "visibility" in changes:
            changes["public"] = changes["visibility"] == "public"
        names = {each.name for each in fields(Settings)}
        stored = {name: getattr(self.circuit, name) for name in names}
        return Settings(**stored | {name: changes[name] for name in names & {*changes}})


class OfferForm(forms.Form):
    name = CleanCharField(
        label=_("Username of the new director"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )


class SeasonForm(forms.Form):
    """The form for the year of a circuit's first season."""

    year = forms.IntegerField(label=_("First season"), min_value=YEARS[0], max_value=YEARS[1])


# Maps arguments of operations to form fields, if their names differ.
FIELDS = {"pace_ms": "seconds"}


def refuse(form: forms.Form, error: OperationError) -> None:
    field = FIELDS.get(error.field, error.field)
    form.add_error(field if field in form.fields else None, str(error))
