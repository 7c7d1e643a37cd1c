"""The cost of one hostile client for the server: a search for the most expensive attack (SES-12; pitfalls B12).

First every kind of attack of attacks.py is tried briefly, then other sizes and rates of the most expensive ones, then
the three most expensive for longer. During the long trials a bystander sends questions, and the latency of their
answers is measured. An attacker at full speed uses a processor of the same machine. So the latency is compared with the
latency while the same attack goes to a twin, a server with a copy of the world. Servers and attackers have separate
processors, as on separate machines: otherwise the attacker's program, and not its requests, would delay others. `make
test` checks a limit of processor time, which other programs on the machine affect little. The limit of latency is
checked only in long trials, with a release build on an otherwise idle machine:

    pytest Tests/EndToEndTests/test_costs.py -s                 half a minute for each sort of client
    pytest Tests/EndToEndTests/test_costs.py -m soak -s         some twenty minutes

$CAIRN_COSTS_SECONDS is the length of the long trials in seconds (60).
"""

import asyncio
import dataclasses
import itertools
import json
import os
import pathlib
import shutil
import sys
import time

import pytest

import attacks
from attacks import Attacker, Known
from cairn import PATIENCE, Client, away, pose
from paces import busy_seconds
from server import is_optimized
from swarm import pause

pytestmark = pytest.mark.alone

SECONDS = float(os.environ.get("CAIRN_COSTS_SECONDS", "60"))
# Limit as a share of one core (issue 10, done when 5), and the limit for a build without optimisation.
SHARE_MAX = 0.05
DEBUG_FACTOR = 8
# How much later others' answers may arrive, at the 99th percentile: a tenth, and the inaccuracy of a system timer.
LATER_MAX = 1.1
LATER_SECONDS = 0.001
THINGS = 200  # lie about where it happens: more than most places have
# The limits for an address on a public listener; the defaults on loopback have none.
REACHABLE = {
    "listen__loops": 1, "listen__connectionsPerAddress": 256, "listen__handshakesPerSecondPerAddress": 25,
    "listen__signInsPerMinutePerAccount": 60,
}  # fmt: skip

_sources = itertools.count(1)


def pin(pid, last):
    """Pins all threads of a process to the last processor of this machine or to the first."""
    processors = sorted(os.sched_getaffinity(0))
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(task.name), {processors[-1 if last else 0]})


def copied(folder, name):
    """A copy of a stopped world and of its keys, beside it."""
    shutil.copytree(folder, folder.with_name(name), ignore=shutil.ignore_patterns("*.sock", "server.log"))
    for file in folder.parent.glob(f"{folder.name}.key*"):
        shutil.copyfile(file, file.with_name(name + file.name.removeprefix(folder.name)))
        file.with_name(name + file.name.removeprefix(folder.name)).chmod(0o600)
    return folder.with_name(name)


class Ground:
    """A server, a place with things, a well-behaved client there, and an attacker."""

    @classmethod
    async def make(cls, start, spot, name):
        self = cls()
        # The place is filled before the trial; the limits of the attacker are the server's own.
        generous = {"placement__areaQuota": 10_000, "placement__perMinute": 10_000, "placement__perDay": 10_000,
                    "connections__messagesPerSecond": 10_000, "connections__messagesBurst": 10_000}  # fmt: skip
        server = start(**generous)
        builder = await Client.connect(server, "Builder")
        await builder.view(await builder.stand_at(*spot))
        for number in range(THINGS):
            await builder.place(pose(*away(*spot, north=number % 40 - 20, east=number // 40)))
        await builder.close()
        server.stop()
        self.spot = spot
        self.server, self.twin = start(**REACHABLE), start(folder=copied(server.folder, "twin"), **REACHABLE)
        self.bystander = await Client.connect(self.server, "Bystander")
        topic = await self.bystander.view(await self.bystander.stand_at(*spot))
        self.thing = next(iter(topic.instances.values()))
        servers = (self.server, self.twin)
        for server in servers:
            pin(server.process.pid, last=False)
        self.known = {server: await self.learned(server, name) for server in servers}
        return self

    async def learned(self, server, name):
        """The attacker's knowledge of a server, found out under its own name if it has one."""
        if not name:
            return Known(lat=self.spot[0], lon=self.spot[1])
        mallory = await Client.connect(server, name)
        await mallory.view(await mallory.stand_at(*self.spot))
        own = await mallory.place(pose(*self.spot))
        known = Known(
            token=mallory.welcome["token"], session=mallory.welcome["session"], cell=own["cell"], lat=self.spot[0],
            lon=self.spot[1], own=own["id"], other=self.thing["id"],
            cursors=[topic.cursor for topic in mallory.topics.values()])  # fmt: skip
        await mallory.close()
        return known

    @property
    def is_guest(self):
        return not self.known[self.server].token

    def attacker(self, server):
        """An attacker at an address that is new to the server."""
        number = next(_sources)
        return Attacker(server.port, f"127.1.{number // 250}.{number % 250 + 1}", self.known[server])

    async def trial(self, attack, seconds):
        """The server's share of a core, without the first third of the time, in which token buckets are still full."""
        work = asyncio.create_task(self.attacker(self.server).attack(attack, seconds))
        await asyncio.wait([work], timeout=seconds / 3)
        spent, began = busy_seconds(self.server), time.monotonic()
        await work
        assert self.server.is_running, f"{attack.told()}: {self.server.log()[-2_000:]}"
        return (busy_seconds(self.server) - spent) / (time.monotonic() - began)

    async def dearest(self, count, seconds):
        """Tries all kinds, and then other sizes and rates of the expensive ones."""
        kinds = [kind for kind in attacks.attacks() if not (self.is_guest and kind.needs_account)]
        first = {kind: await self.trial(kind, seconds) for kind in kinds}
        ranked = sorted(first, key=first.get, reverse=True)
        others = {one.told(): one for kind in ranked[: 3 * count] for one in attacks.variants(kind)}
        if self.is_guest:
            # A guest is one connection; an account may have five.
            others = {told: one for told, one in others.items() if one.connections == 1}
        tried = {kind.told(): (share, kind) for kind, share in first.items()}
        for told, one in others.items():
            tried[told] = (await self.trial(one, seconds), one)
        best, names = [], set()
        for share, one in sorted(tried.values(), key=lambda each: -each[0]):
            # Three different kinds, and not one kind in three sizes.
            if one.name not in names and len(best) < count:
                names.add(one.name)
                best.append((share, one))
        return best, len(tried)

    # MARK: Long trials

    async def pressed(self, attack, target, seconds, settling=0):
        """An attack on the server or its twin from a separate process, for this time.

        Returns the server's share of a core, the latencies of others there, and the attacker's counts.

        The first `settling` seconds are not counted, so that bursts are used up."""
        attacker = self.attacker(target)
        order = {"attack": attack.told(), "port": attacker.port, "source": attacker.source,
                 "seconds": settling + seconds,
                 "known": dataclasses.asdict(attacker.known), "nice": 5}  # fmt: skip
        process = await asyncio.create_subprocess_exec(
            sys.executable, attacks.__file__, json.dumps(order), stdout=asyncio.subprocess.PIPE)  # fmt: skip
        try:
            assert await process.stdout.readline() == b"ready\n"
            pin(process.pid, last=True)
            await self.waits(settling)
            spent, began = busy_seconds(self.server), time.monotonic()
            waits = await self.waits(seconds)
            share = (busy_seconds(self.server) - spent) / (time.monotonic() - began)
            told, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
        finally:
            if process.returncode is None:
                process.kill()
        assert process.returncode == 0
        return share, waits, json.loads(told)

    async def waits(self, seconds):
        """Latencies of the bystander's questions, in seconds; 20 a second."""
        taken, loop = [], asyncio.get_running_loop()
        began = loop.time()
        for number in range(int(20 * seconds)):
            await pause(max(0, began + number / 20 - loop.time()))
            asked = time.perf_counter()
            await self.bystander.select(self.thing)
            taken.append(time.perf_counter() - asked)
        return taken


def p99(taken):
    return sorted(taken)[int(len(taken) * 0.99)]


async def search(ground, trial_seconds, seconds, rounds, settling=0):
    """Prints the findings; returns [(attack, share, p99 while it goes to the twin, p99)]."""
    dearest, tried = await ground.dearest(3, trial_seconds)
    print(f"\n  {tried} attacks tried; the dearest, {seconds:.0f} s each:")
    found = []
    for first, attack in dearest:
        shares, idle, before, after = [], [], [], []
        for _ in range(rounds):
            share, waits, _ = await ground.pressed(attack, ground.twin, seconds / rounds, settling)
            idle.append(share)
            before += waits
            share, waits, did = await ground.pressed(attack, ground.server, seconds / rounds, settling)
            shares.append(share)
            after += waits
        share = (sum(shares) - sum(idle)) / rounds
        found.append((attack, share, p99(before), p99(after)))
        print(f"  {attack.told()}: {share:.2%} of a core ({first:.2%} in the trial), p99 of others",
              f"{p99(before) * 1e3:.2f} ms beside it, {p99(after) * 1e3:.2f} ms under it; {did['closes']} connections")
    return found


WHO = pytest.mark.parametrize("name", ["", "Mallory"], ids=["guest", "account"])


@pytest.mark.soak
@pytest.mark.seconds(180)
@WHO
async def test_the_dearest_attack_found_in_half_a_minute_costs_little(start, spot, name):
    ground = await Ground.make(start, spot, name)
    bar = SHARE_MAX * (1 if is_optimized() else DEBUG_FACTOR)
    for attack, share, *_ in await search(ground, 0.06, 1.5, 1, settling=1):
        assert share <= bar, attack.told()


@pytest.mark.soak
@pytest.mark.seconds(600 + 8 * SECONDS)
@WHO
async def test_the_dearest_attack_of_one_client_costs_little(start, spot, name):
    ground = await Ground.make(start, spot, name)
    found = await search(ground, 0.9, SECONDS, 6)
    for attack, share, before, after in found:
        assert share <= SHARE_MAX, attack.told()
        assert after <= LATER_MAX * before + LATER_SECONDS, attack.told()
