"""The operators' socket: its figures and its commands (STA-1 to STA-3)."""

import asyncio
import json
import re

import pytest

import s2
from cairn import Client, Refused, away, eventually, pose
from operators import Desk, credential_of, fetch, socket_of


# MARK: - Figures


async def test_every_figure_is_explained(server):
    async with await Desk.open(server) as desk:
        schema = await desk.ask("schema")
        client = await Client.connect(server, "Ada")
        await client.stand_at(48.85, 2.35)
        row = (await desk.ask("cells"))["cells"][0]
        totals = (await desk.ask("totals"))["totals"]
        queues = await desk.ask("queues")
    assert set(row) <= set(schema["cell"])
    for section in ("rates", "queues", "store", "process", "drops"):
        assert set(totals[section]) <= set(schema[section]), section
    assert set(totals["loops"][0]) <= set(schema["loops"])
    for section in ("items", "messages"):
        assert set(queues[section]) <= set(schema[section]), section
    plain = {name for name, value in totals.items() if not isinstance(value, (dict, list))} - {"refusals", "closures"}
    assert plain <= set(schema["people"])


async def test_an_unknown_command_names_the_nearest(server):
    async with await Desk.open(server) as desk:
        refusal = await desk.refusal("peple")
        assert (refusal["code"], refusal["nearest"]) == ("unknown_command", "people")
        assert (await desk.refusal("\x1b[31mpwned\x07"))["code"] == "unknown_command"
        assert (await desk.ask("people"))["connections"] >= 0


async def test_help_lists_every_command_with_its_level(server):
    async with await Desk.open(server) as desk:
        commands = {one["command"]: one for one in (await desk.ask("help"))["commands"]}
    assert {"cells", "cell", "people", "queues", "refusals", "latency", "watch", "info", "schema"} <= set(commands)
    for name in ("notice", "kick", "drain", "reload", "backup", "log"):
        assert commands[name]["level"] == "admin"


async def test_a_person_in_a_cell_is_in_its_row_and_in_no_other(server, spot):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    await ada.place(pose(*spot))
    async with await Desk.open(server) as desk:
        answer = await desk.ask("cells occupied")
        rows = {row["cell"]: row["people"] for row in answer["cells"]}
        assert rows[cell] == 1
        one = await desk.ask(f"cell {cell}")
        assert (one["people"], one["instances"], one["turnP99Microseconds"] > 0) == (1, 1, True)
        assert one["ground"]["geometry"]["type"] == "Polygon"
        near = await desk.ask(f"cells {spot[0]},{spot[1]},30")
        assert cell in [row["cell"] for row in near["cells"]]
        within = await desk.ask(f"cells people {s2.token(*spot, level=13)}")
        assert cell in [row["cell"] for row in within["cells"]]
        elsewhere = await desk.ask(f"cells people {s2.token(-spot[0], spot[1], level=13)}")
        assert elsewhere["of"] == 0


async def test_figures_name_nobody(server, spot):
    """No output of the socket contains an account, name, text or exact position (STA-3, CMP-4)."""
    ada = await Client.connect(server, "Adalovelace", sharePosition=True)
    cell = await ada.stand_at(spot[0], spot[1], 12.3456)
    async with await Desk.open(server) as desk:
        said = ""
        for line in ("cells", f"cell {cell}", "totals", "people", "queues", "refusals", "latency", "history", "info"):
            said += json.dumps(await desk.ask(line))
        head = await (await desk.watch()).update()
        said += json.dumps(head) + json.dumps(desk.cells)
    assert "Adalovelace" not in said
    assert ada.welcome["account"] not in said
    assert ada.welcome["token"] not in said
    assert "12.3456" not in said and repr(spot[0]) not in said and repr(spot[1]) not in said
    assert credential_of(server) not in said


async def test_sums_of_occupancies_equal_the_people_with_a_position_in_every_update(server, spot):
    """While people connect, walk over borders, are cut, sign out and leave (STA-3, invariant 8)."""
    people = await asyncio.gather(*(Client.connect(server, f"walker{n}") for n in range(12)))
    stopped = asyncio.Event()

    async def walk(client, n):
        step = 0
        while not stopped.is_set():
            step += 1
            await client.stand_at(*away(*spot, north=25 * ((step + n) % 40), east=10 * n))
            if step % 7 == n % 7:
                extra = await Client.connect(server, f"guest{n}x{step}")
                await extra.stand_at(*away(*spot, north=5 * step))
                if step % 2:
                    extra.socket.transport.abort()
                else:
                    await extra.close()

    walkers = [asyncio.create_task(walk(client, n)) for n, client in enumerate(people)]
    try:
        async with await Desk.open(server) as desk:
            await desk.watch()
            for _ in range(6):
                await desk.update()
                assert sum(row["people"] for row in desk.cells.values()) == desk.totals["people"]
            assert desk.totals["people"] >= len(people)
    finally:
        stopped.set()
        await asyncio.gather(*walkers)


async def test_everything_offered_is_accounted_for(server, spot):
    ada, bo = await Client.connect(server, "Ada", sharePosition=True), await Client.connect(server, "Bob")
    for step in range(30):
        await ada.stand_at(*away(*spot, north=step))
        await bo.stand_at(*away(*spot, east=step))
    async with await Desk.open(server) as desk:
        queues = await desk.ask("queues")
    items = queues["items"]
    parts = ("sent", "waiting", "thinned", "dropped", "superseded", "revoked", "lost")
    assert items["offered"] == sum(items[part] for part in parts) > 0


async def test_watch_tells_everything_then_what_changed_and_what_went(start, spot):
    server = start(cells__sleepSeconds=1, presence__graceSeconds=0)
    async with await Desk.open(server) as desk:
        await desk.watch()
        ada = await Client.connect(server, "Ada")
        cell = await ada.stand_at(*spot)
        await desk.until(lambda: desk.cells.get(cell, {}).get("people") == 1, "Ada in her cell")
        quiet = await desk.update()
        while quiet["cells"]:
            quiet = await desk.update()
        assert quiet["type"] == "update" and quiet["cells"] == []
        await ada.close()
        await desk.until(lambda: cell not in desk.cells, "the cell asleep")
        await desk.send("stop")
        answer = await desk.line()
        while "watching" not in answer:
            answer = await desk.line()
        assert answer == {"watching": False}


async def test_several_operators_see_the_same(server, spot):
    async with await Desk.open(server) as one, await Desk.open(server) as other:
        await one.watch()
        await other.watch()
        ada = await Client.connect(server, "Ada")
        cell = await ada.stand_at(*spot)
        for desk in (one, other):
            await desk.until(lambda: desk.cells.get(cell, {}).get("people") == 1, "Ada in her cell")


# MARK: - Commands


async def test_kick_ends_a_session_for_good(server, spot):
    ada, bo = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    cell = await ada.stand_at(*spot)
    await bo.stand_at(*spot)
    async with await Desk.open(server) as desk:
        sessions = [one["session"] for one in (await desk.ask(f"cell {cell}"))["sessions"]]
        assert ada.welcome["session"] in sessions
        assert (await desk.refusal("kick 0000000000000"))["code"] == "not_found"
        assert await desk.ask(f"kick {ada.welcome['session']}") == {"closed": 1}
        assert (await ada.until_ended())[0] == 4203 and ada.closing["code"] == "kicked"
        await desk.watch()
        await desk.until(lambda: desk.cells[cell]["people"] == 1, "Ada gone from the cell")
        assert await desk.ask(f"kick {bo.welcome['account']}") == {"closed": 1}
    assert (await bo.until_ended())[0] == 4203
    assert "Ada" not in server.log() and ada.welcome["account"] not in server.log()


async def test_backup_copies_the_database_and_says_so_even_after_a_restart(start, tmp_path):
    server = start(folder=tmp_path / "world")
    async with await Desk.open(server) as desk:
        assert "done" in await desk.ask("backup")
        last = (await desk.ask("queues"))["store"]["lastBackup"]
    assert last["bytes"] > 0 and last["at"] > 0
    assert server.stop() == 0
    async with await Desk.open(start(folder=tmp_path / "world")) as desk:
        again = (await desk.ask("queues"))["store"]["lastBackup"]
    assert again["at"] // 1_000 == last["at"] // 1_000 and again["bytes"] == last["bytes"]


async def test_the_log_level_changes_while_the_server_serves(server):
    async with await Desk.open(server) as desk:
        assert await desk.ask("log debug") == {"log": "debug"}
        ada = await Client.connect(server, "Ada")
        with pytest.raises(Refused) as refusal:
            await ada.place(pose(48.85, 2.35), object="preset:nonsense")

        async def logged():
            lines = [json.loads(line) for line in server.log().splitlines()]
            return [line for line in lines if line.get("correlation") == refusal.value.correlation]

        assert (await eventually(logged, "the refusal in the log"))[0]["code"] == refusal.value.code
        assert (await desk.refusal("log debugg"))["nearest"] == "debug"
        await desk.ask("log info")


async def test_drain_stops_the_server_in_order(start):
    server = start()
    ada = await Client.connect(server, "Ada")
    async with await Desk.open(server) as desk:
        assert await desk.ask("drain") == {"done": "stopping"}
    assert (await ada.until_ended())[0] == 1012
    assert server.wait() == 0
    assert not socket_of(server).exists()


async def test_a_socket_that_a_killed_server_left_is_taken_over(start):
    server = start()
    server.kill()
    assert socket_of(server).exists()
    async with await Desk.open(start()) as desk:
        assert (await desk.ask("info"))["version"]


# MARK: - Metrics


async def test_metrics_are_what_prometheus_reads(server, spot):
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    await ada.place(pose(*spot))

    async def told():
        page = await asyncio.to_thread(fetch, server, "/metrics")
        return page[2] if 'kind="place"' in page[2] else None

    page = await eventually(told, "the placement's time")
    assert page.endswith("\n")
    types, seen = {}, set()
    for line in page.splitlines():
        if line.startswith("# TYPE"):
            _, _, name, kind = line.split(" ")
            assert name not in types, f"{name} twice"
            types[name] = kind
        elif not line.startswith("#"):
            sample = re.fullmatch(r'([a-z_]+)(\{[a-z_]+="[^"]*"(,le="[^"]*")?\}|\{le="[^"]*"\})? [-+0-9.e]+', line)
            assert sample, line
            assert line.rsplit(" ", 1)[0] not in seen, line
            seen.add(line.rsplit(" ", 1)[0])
            base = re.sub(r"_(bucket|sum|count)$", "", sample.group(1))
            kind = types.get(sample.group(1)) or types[base]
            assert (kind == "counter") == sample.group(1).endswith("_total"), line
    assert types["cairn_request_duration_seconds"] == "histogram"
    assert not [name for name, kind in types.items() if kind == "summary"]
    assert ada.welcome["account"] not in page and "Ada" not in page
