"""Benchmark of the admin with very many bulls: the queries of the first page of the list."""

from collections.abc import Iterator
from itertools import islice, product

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from corridas.models import Bull, Ganaderia
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite, use_database

BULLS = 50_000
LIST = "/admin/corridas/bull/"
# Sorted, searched, filtered and late pages, which are reported in the note of the figure.
OTHERS = ("?o=2", "?q=Toro+77", "?state=campo", "?of=2026", "?p=400")


def measure(site: ScratchSite) -> Iterator[Figure]:
    use_database(site.copy(site.planned, "office"))
    herds = list(Ganaderia.objects.all())
    born = (
        Bull(ganaderia=herd, year=year, number=n, name=f"Toro {n}", coat="negro", weight=500)
        for year, herd, n in product(range(2026, 2100), herds, range(1, 100))
    )
    Bull.objects.bulk_create(islice(born, BULLS), batch_size=2000)
    client = Client()
    client.force_login(User.objects.create_superuser("ganadero"))
    _queries(client, LIST)
    queries = _queries(client, LIST)
    most = max(_queries(client, LIST + rest) for rest in OTHERS)
    note = f"first of {BULLS:,} bulls; sorted, searched, filtered, far down: {most} at most"
    yield Figure("office_bulls", queries, bar=12, unit="queries", note=note)


def _queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address, headers={"host": "localhost"})
    assert answer.status_code == 200, address
    return len(captured)
