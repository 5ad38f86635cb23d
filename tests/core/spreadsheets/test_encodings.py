"""Text encodings of files: the usual encodings are read, old code pages are rejected."""

from __future__ import annotations

import codecs

import pytest

from core.spreadsheets.csv_files import read_csv
from core.spreadsheets.encodings import WINDOWS_1252, UnknownEncoding, decode
from core.spreadsheets.errors import Refused
from core.spreadsheets.limits import Limits
from core.spreadsheets.sheets import separated

# Names that are each the only name with an accent in a file, so that nothing else shows its
# encoding.
GOOD = [
    *("Simón Núñez del Río", "José María Manzanares", "Málaga", "Peña", "Díaz", "Agüero", "Cantú"),
    *("GARCÍA MUÑOZ", "CÁCERES", "JESÚS LEÓN", "GARCíA NúñEZ", "Óscar", "Íñigo", "Écija", "Ávila"),
    *("¿Quién? ¡Olé!", "Plaza nº 1", "2ª fila", "Mª José", "Antonio José Galán «Toñete»"),
    *("João Moura", "Magalhães", "Simões", "Conceição", "Évora", "FRANÇA", "MAGALHÃES", "Camões"),
    *("Olho D’Água", "Paço D’Arcos", "Palha Blanco – Vila Franca de Xira", "Ângela", "Águeda"),
    *("Sacré-Cœur", "Cœur", "Œuvre", "œil", "Nîmes", "Béziers", "L’Haÿ-les-Roses", "Val-d’Isère"),
    *("Côte d’Azur", "d’Arles", "l’île", "J’ai", "aujourd’hui", "François", "Garçon", "Ça va"),
    *("Fête-Dieu", "Noël", "Château", "Août", "Créée", "être", "naïf", "Bouches-du-Rhône"),
    *("l’Albufera", "L’Hospitalet de l’Infant", "Paral·lel", "Lluís", "Vicenç", "Vall d’Uixó"),
    *("Castell d’Aro", "s’Arenal", "S’Agaró", "Plaça", "Barça", "PARAL·LEL"),
    *("Weiß", "GROß", "Straße", "Müller", "Köln", "KÖLN", "Jäger", "Österreich", "Überlingen"),
    *("O’Donnell", "King’s Cup", "Matadors’ cards", "Sant’Elia", "l´Albufera", "Jørgensen", "Åse"),
    *("5 €", "€ 300", "Madrid–Sevilla", "81–94", "El toro – la historia", "“El Cordobés”"),
    *("‘Gallito’", "Joselito†", "Marca®", "Las\xa0Ventas", "Plaza\xa0de\xa0toros", "3°", "m²", "…"),
    *("Kœnig, Zoë", "Qur’an, Peña", "Škoda, José"),
]
MAC = [
    *("Simón", "Núñez", "Río", "José", "Andrés", "García", "Martín", "Sofía", "Díaz", "Luís"),
    *(
        "Solís",
        "Peña",
        "Jesús",
        "Raúl",
        "Sanlúcar",
        "Málaga",
        "Alcalá",
        "GARCÍA",
        "LÓPEZ",
        "ESPAÑA",
    ),
    *("Álvaro", "Ávila", "Écija", "Óscar", "Úbeda", "João", "Magalhães", "Simões", "Évora"),
    *("Nîmes", "Noël", "Château", "père", "Garçon", "Müller", "Köln", "Straße", "Agüero", "Mío"),
    *("Compañía", "Jerez – Sevilla", "d’Arles", "Ñandú", "Íñigo", "MÁLAGA"),
]
DOS = [
    *("Simón", "Núñez", "Río", "José", "Andrés", "García", "Martín", "Díaz", "Peña", "Jesús"),
    *("Raúl", "Málaga", "Sánchez", "León", "ESPAÑA", "Écija", "Perú", "Nîmes", "Noël", "père"),
    *("Müller", "Köln", "Jäger", "Garçon", "Ñandú"),
]
# Names with letters that only the later DOS code page 850 contains.
DOS_850 = [
    "GARCÍA",
    "LÓPEZ",
    "JESÚS",
    "Álvaro",
    "Óscar",
    "João",
    "Magalhães",
    "Simões",
    "Conceição",
]


@pytest.mark.parametrize("name", GOOD)
def test_file_in_windows_1252_is_decoded(name: str) -> None:
    decoded = decode(f"slug;name\r\na;{name}\r\n".encode("cp1252"))
    assert decoded.text == f"slug;name\r\na;{name}\r\n"
    assert (decoded.encoding, decoded.guessed) == (WINDOWS_1252, True)


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        *(("mac-roman", name) for name in MAC),
        *(("cp437", name) for name in DOS),
        *(("cp850", name) for name in [*DOS, *DOS_850]),
        *(("cp1250", name) for name in ("Łódź", "Stanisław")),
        *(("cp1251", name) for name in ("Иван", "Севилья")),
        ("cp1253", "Γιώργος"),
    ],
)
def test_file_in_another_code_page_is_rejected(encoding: str, name: str) -> None:
    data = f"slug;name\r\na;{name}\r\n".encode(encoding)
    with pytest.raises(UnknownEncoding):
        decode(data)
    with pytest.raises(Refused) as refused:
        read_csv(data, "x.csv", Limits())
    assert refused.value.fault.sheet == "x.csv"
    assert "Save it as UTF-8" in refused.value.fault.sentence


def test_encoding_error_shows_the_undecodable_word() -> None:
    with pytest.raises(UnknownEncoding) as refused:
        decode("a,Simón Núñez\n".encode("mac-roman"))
    assert refused.value.word == "Sim—n"


@pytest.mark.parametrize("name", ["José", "Peña", "Conceição", "d’Arles", "Müller"])
def test_utf_8_file_with_a_wrong_byte_is_not_decoded_as_windows_1252(name: str) -> None:
    with pytest.raises(UnknownEncoding):
        decode(f"{name},Pe".encode() + b"\xf1a")


ENCODINGS = [
    ("utf-8", b"", "utf-8"),
    ("utf-8", codecs.BOM_UTF8, "utf-8-sig"),
    ("utf-16-le", codecs.BOM_UTF16_LE, "utf-16"),
    ("utf-16-be", codecs.BOM_UTF16_BE, "utf-16"),
    ("utf-16-le", b"", "utf-16-le"),
    ("utf-16-be", b"", "utf-16-be"),
    ("cp1252", b"", WINDOWS_1252),
]


@pytest.mark.parametrize(("encoding", "mark", "known_as"), ENCODINGS)
def test_decoding_returns_the_encoding_with_the_text(
    encoding: str, mark: bytes, known_as: str
) -> None:
    text = "match,player\n1,Begoña\n"
    decoded = decode(mark + text.encode(encoding))
    assert decoded == (text, known_as)
    assert decoded.guessed is (known_as == WINDOWS_1252)


def test_decoding_thirty_thousand_words_is_fast() -> None:
    text = ",".join(f"n{number}é" for number in range(30_000))
    assert decode(text.encode("cp1252")).text == text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("first", ["", "sep={}", "SEP={}", '"sep={}"'])
def test_csv_line_ends_and_separators_of_common_programs_are_read(
    end: str, delimiter: str, first: str
) -> None:
    rows = [["slug", "name"], ["a", "Peña"], ["b", "x, y; z"]]
    quoted = [[f'"{cell}"' if " " in cell else cell for cell in row] for row in rows]
    lines = [first.format(delimiter)] if first else []
    lines += [delimiter.join(row) for row in quoted]
    sheet, _guessed = read_csv((end.join(lines) + end).encode(), "x.csv", Limits())
    assert [list(line.cells) for line in sheet.lines] == rows
    assert [line.number for line in sheet.lines] == [1, 2, 3]


def test_separator_of_a_csv_file_is_that_of_its_first_line() -> None:
    assert separated("a;b\rc,d,e,f\r") == ("a;b\rc,d,e,f\r", ";")
    assert separated("sep=;\ra,b,c") == ("a,b,c", ";")
    assert separated("sep=;") == ("", ";")
