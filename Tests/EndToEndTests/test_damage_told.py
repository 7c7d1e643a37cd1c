"""A damaged row in a running world: every operators' interface reports it, with its table."""

import json
import re
import sqlite3

import pytest

from browser import console, expect
from cairn import Client, pose
from operators import Desk
from server import run
from test_check import reports, samples
from test_top import Screen


@pytest.fixture
def damaged(start, tmp_path, spot):
    """A server with a world in which one of two instances is damaged, after a person has walked by."""

    async def make():
        server = start(folder=tmp_path / "world")
        ada = await Client.connect(server, "Ada")
        await ada.stand_at(*spot)
        things = [await ada.place(pose(*spot)) for _ in range(2)]
        server.stop()
        with sqlite3.connect(tmp_path / "world/cairn.sqlite") as world:
            world.execute("UPDATE instances SET version = -1 WHERE id = (SELECT min(id) FROM instances)")
        world.close()
        server = start(folder=tmp_path / "world")
        eve = await Client.connect(server, "Eve")
        await eve.view(await eve.stand_at(*spot))
        assert eve.sees(things[1]) and not eve.sees(things[0])
        return server

    return make


async def test_check_says_it_in_every_format_and_is_ready_all_the_same(damaged):
    server = await damaged()
    said = await reports(0, "--data", server.folder)
    assert "rows: 1 damaged row" in said["text"] and "cairn verify" in said["text"]
    assert "1 damaged row" in said["nagios"]
    assert json.loads(said["json"])["damagedTables"] == {"instances": 1}
    assert samples(said["prometheus"])["cairn_check_damaged_rows"] == 1
    assert 'cairn_check_damaged_table_rows{table="instances"} 1\n' in said["prometheus"]
    assert 'cairn_check_part_ok{part="storage"} 1\n' in said["prometheus"]


async def test_stats_metrics_and_top_say_it(damaged):
    server = await damaged()
    async with await Desk.open(server) as desk:
        store = (await desk.ask("totals"))["totals"]["store"]
    assert (store["damagedRows"], store["damagedTables"]) == (1, {"instances": 1})
    await server.until_figure('cairn_store_damaged_table_rows{table="instances"}', 1)
    await server.until_figure("cairn_store_damaged_rows", 1)
    assert "Damaged rows are set aside (1): cairn verify" in run("top", "--once", "--data", server.folder).stdout
    for rows in (24, 12):
        screen = Screen(server, rows, 80)
        screen.until(re.escape("Damaged rows are set aside (1): cairn verify"))
        screen.press("q")
        assert screen.wait() == 0


async def test_the_console_says_it(damaged):
    server = await damaged()
    async with console(server) as one:
        await one.ready()
        disk = one.page.locator("#disk")
        await expect(disk).to_contain_text("Damaged rows are set aside")
        await expect(disk.locator(".facts div", has_text="Damaged rows").locator("dd")).to_have_text("1: instances 1")
        assert await one.violations() == []


async def test_a_sound_world_has_no_table_in_its_figures(server):
    said = await reports(0, "--data", server.folder)
    assert samples(said["prometheus"])["cairn_check_damaged_rows"] == 0
    assert "table_rows" not in said["prometheus"]
    assert "Damaged" not in run("top", "--once", "--data", server.folder).stdout
