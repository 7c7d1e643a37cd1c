"""Bounds of the resources that a client or an operator can make the server hold (invariant 5; B23, B26, B27, B29)."""

import asyncio
import contextlib
import signal
import socket

from cairn import PATIENCE, Client, Refused, away, eventually
from operators import Desk
from server import binary
from swarm import Bot


async def test_sessions_that_are_taken_up_again_count_like_others(start):
    server = start(connections__perAccountMax=3)
    first = [await Client.connect(server, "Ada")]
    token = first[0].welcome["token"]
    first += [await Client.connect(server, token=token) for _ in range(2)]
    sessions = [one.welcome["session"] for one in first]
    for one in first:
        await one.drop()
    await server.until_figure("cairn_sessions_detached", 3)
    fresh = [await Client.connect(server, token=token) for _ in range(3)]
    for session in sessions:
        try:
            await Client.connect(server, token=token, session=session)
        except Refused as refused:
            assert refused.code == "too_many_connections"
        else:
            raise AssertionError("four connections of an account that may have three")
    assert all(one.end is None for one in fresh)
    # A connection that takes over a session replaces the open one in the count.
    heir = await Client.connect(server, token=token, session=fresh[0].welcome["session"])
    assert heir.welcome["resumed"] and (await fresh[0].until_ended())[1] == "session_taken_over"


async def test_takeovers_that_cross_leave_no_connection_uncounted(start):
    server = start(listen__loops=2, connections__perAccountMax=2)
    holder = await Client.connect(server, "Ada")
    token, everybody = holder.welcome["token"], [holder]

    def welcomed():
        return [one for one in everybody if one.end is None and one.welcome is not None]

    async def are_few():
        return 1 <= len(welcomed()) <= 2

    for _ in range(30):
        heirs = [await Client.connect(server, hello=False, called="heir") for _ in range(3)]
        everybody += heirs
        hello = {"version": 1, "frontEnd": "bot", "token": token, "session": holder.welcome["session"]}
        answers = await asyncio.gather(*(heir.ask("hello", hello) for heir in heirs), return_exceptions=True)
        for heir, answer in zip(heirs, answers, strict=True):
            if isinstance(answer, dict):
                heir.welcome = answer
        await eventually(are_few, "two at most")
        holder = welcomed()[-1]
        for heir in heirs:
            if heir.end is None and heir.welcome is None:
                await heir.drop()


async def test_sessions_of_one_account_that_wait_to_be_taken_up_are_few(start, spot):
    server = start(connections__perAccountMax=2)
    token = (await Client.connect(server, "Ada")).welcome["token"]
    for drops in range(1, 13):
        one = await Client.connect(server, token=token)
        await one.stand_at(*spot)
        await one.drop()
        # The connection counts until the server has noticed that.
        await server.until_figure("cairn_sessions_cut_total", drops)
    await server.until_figure("cairn_sessions_detached", 3)
    async with await Desk.open(server) as desk:
        said = None

        async def is_three():
            nonlocal said
            cells = (await desk.ask("cells"))["cells"]
            said = sum(cell["people"] for cell in cells), (await desk.ask("totals"))["totals"]["people"]
            return said == (3, 3)

        await eventually(is_three, lambda: f"in cells and in all: {said}")


async def test_every_position_that_asks_for_an_answer_gets_one_however_fast_they_come(start, spot):
    limits = {"connections__messagesPerSecond": 2000, "connections__messagesBurst": 2000}
    server = start(connections__positionsPerSecond=40, **limits)
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    answers = []
    for number in range(300):
        # Some arrive when the limit permits them, and one that was held back is not accepted yet.
        answers.append(await ada.post("position", {"lat": spot[0], "lon": spot[1], "h": 30 + number / 100}))
        await ada.ask("share", {"position": True})
    done, waiting = await asyncio.wait(answers, timeout=PATIENCE)
    assert not waiting, f"{len(waiting)} of {len(answers)} positions were never answered"
    assert {answer.result()["cell"] for answer in done} == {cell}
    taken, held_back = [await ada.post("position", {"lat": spot[0], "lon": spot[1]}) for _ in range(2)]
    await ada.ask("signOut")
    _, waiting = await asyncio.wait([taken, held_back], timeout=PATIENCE)
    assert not waiting, "a position that is held back when its user signs out is answered too"


async def test_cells_that_nobody_needs_any_more_are_bounded(start):
    settings = {"listen__loops": 1, "cells__level": 17, "cells__viewRadiusMetres": 380}
    server = start(connections__positionsPerSecond=1_000, **settings)
    walker = await Client.connect(server, "Walker")
    for step in range(100):
        await walker.stand_at(*away(40.0, 10.0, north=2_000 * step))

    async def woken_and_awake():
        figures = await server.figures()
        return figures["cairn_cell_wakeups_total"], figures["cairn_cells_awake"]

    async def is_bounded():
        woken, awake = await woken_and_awake()
        return woken > 4_500 and awake <= 4_096 + len(walker.topics)

    await eventually(is_bounded, "more cells awake than may rest")
    woken, awake = await woken_and_awake()
    assert awake > 1_000, f"{awake} of {woken}: those that may rest are put to sleep too"


def answer_at_the_door(server):
    """The answer to a plain HTTP client that has sent nothing yet."""
    with socket.create_connection((server.host, server.port), timeout=PATIENCE) as door:
        heard = b""
        with contextlib.suppress(ConnectionError):
            while chunk := door.recv(4096):
                heard += chunk
    return heard.decode()


async def test_a_full_server_says_when_to_come_back(start):
    server = start(listen__connectionsMax=3)
    first = [await Client.connect(server, f"Person{number}") for number in range(3)]
    waits = set()
    for _ in range(20):
        head, *fields = answer_at_the_door(server).split("\r\n")
        assert head == "HTTP/1.1 503 Service Unavailable"
        waits.add(int(dict(field.split(": ", 1) for field in fields if ": " in field)["Retry-After"]))
    assert waits <= set(range(2, 7)) and len(waits) > 1, "all would come back at once"
    await first[0].close()

    async def is_let_in():
        with contextlib.suppress(Exception):
            return await Client.connect(server, "Late")

    await eventually(is_let_in, server.log)


async def test_descriptors_are_left_for_the_database_and_the_log(start, tmp_path, spot):
    program = tmp_path / "with-few-files"
    program.write_text(f'#!/bin/sh\nulimit -n 200\nexec {binary()} "$@"\n')
    program.chmod(0o755)
    server = start(program=program, opens=True)
    ada = Bot("Ada", spot)
    await ada.connect(server)
    crowd = []

    async def is_turned_away():
        crowd.append(socket.create_connection((server.host, server.port)))
        crowd[-1].settimeout(0.02)
        with contextlib.suppress(TimeoutError, ConnectionError):
            return b"503" in crowd[-1].recv(4096)

    await eventually(is_turned_away, "connections may take all descriptors")
    assert len(crowd) <= 120, "a hundred are to be left"
    ada.place("key")
    await ada.until(lambda: ada.placed)
    assert isinstance(ada.placed["key"], dict), ada.placed
    for one in crowd:
        one.close()
    server.logged("raise the limit of open files")


async def test_a_hundred_reloads_lose_nothing(start, tmp_path):
    server = start(folder=tmp_path / "world")
    ada = await Client.connect(server, "Ada")
    before = (await server.figures())["process_open_fds"]
    for number in range(100):
        server.process.send_signal(signal.SIGHUP)
        if number % 10 == 0:
            await ada.ask("share", {"position": True})
    assert ada.end is None

    async def is_quiet():
        return (await server.figures())["process_open_fds"] <= before + 2

    await eventually(is_quiet, server.log)


async def test_a_second_sigterm_ends_it_at_once(start):
    server = start(shutdown__drainSeconds=60)
    bot = Bot("Deaf", (51.5, -0.12))
    await bot.connect(server)
    bot.transport.pause_reading()
    server.process.send_signal(signal.SIGTERM)

    server.logged("stopping")
    server.process.send_signal(signal.SIGTERM)
    assert server.wait() == 2
