"""Buying tours, and what the ledger has of it, for tests."""

import csv
import io
import os

from accounts import MANY
from cairn import Client
from server import run

PRICE = 299
PLAIN = {"accounts__open": "false", "tours__createdPerHour": 1000, **MANY}


def ledger(server, year):
    """The entries of a year, as the command prints them, but for the apostrophes that keep spreadsheets from taking a
    text for a formula."""
    done = run("admin", "ledger", "export", "--year", year, "--data", server.folder)
    assert done.returncode == 0, done.stderr
    entries = csv.DictReader(io.StringIO(done.stdout, newline=""))
    return [{name: text.removeprefix("'") for name, text in entry.items()} for entry in entries]


async def year(server):
    return 1970 + int(int((await Client.connect(server)).welcome["serverTime"]) / 31_556_952_000)


async def buy(client, tour, *, key=None, price=PRICE, method="card", **means):
    means = means if "receipt" in means else {"method": method, **means}
    return await client.ask("buyTour", {"tour": tour, "price": price, **means}, key=key or os.urandom(8).hex())
