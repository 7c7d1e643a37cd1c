"""Thousands of posts end at their time (PST-7).

The short forms are part of every run. CAIRN_POSTS=100000 makes them long; the long forms need the release build and an
idle machine."""

import asyncio
import itertools
import json
import math
import os
import signal
import sys
import time
from types import SimpleNamespace

import pytest

import s2
from cairn import PATIENCE
from paces import HELD_UP
from swarm import UPGRADE, Bot, faults, paced, pause, percentile, together

POSTS = int(os.environ.get("CAIRN_POSTS", 500))

FREE = {
    "posts__perMinute": 10_000, "posts__perDay": 10_000, "posts__perCellMax": 100_000, "posts__hiddenScore": -100_000,
    "reactions__perMinute": 10_000, "placement__perMinute": 10_000, "placement__perDay": 10_000,
    "placement__areaQuota": 100_000, "cells__instancesMax": 100_000, "storage__backlogMax": 100_000,
    "connections__messagesPerSecond": 100_000, "connections__messagesBurst": 100_000,
    "listen__handshakesPerSecondPerAddress": 0, "listen__connectionsPerAddress": 0,
}  # fmt: skip


def square(number):
    """The middle of a cell, kilometres from the cells of other numbers."""
    return s2.middle(45.5 + 0.1 * (number // 100), -73.57 + 0.1 * (number % 100))


class Onlooker(Bot):
    """Creates posts and watches them end. While it `waits`, messages are kept with their time and read later."""

    def __init__(self, name, spot):
        super().__init__(name, spot)
        self.ends = {}  # post -> when it ends, seconds since 1970
        self.gone = {}  # post -> when it was not in view any more
        self.sweeps = []  # posts that left the view with one message, for each such message
        self._leaving = []
        self.on_event = self._note_end
        self.seen_again = []  # those in view at the first look after a restart
        self.refused = []
        self.waits = False
        self._arrived = []

    async def leave_posts(self, count, seconds):
        """Creates this many posts, a few at a time, within this many seconds. Even a few posts take a second, so that
        their ends are spread over a second."""
        for number in range(count):
            if count < 1_000:
                await pause(1 / count)
            await self.until(lambda: number - len(self.ends) - len(self.refused) < 48, seconds)
            self.request("createPost", {"text": f"{self.name}: {number}"}, f"{self.name}-{number}", self._left)
        await self.until(lambda: len(self.ends) + len(self.refused) == count, seconds)

    def _left(self, reply):
        if reply and "postCreated" in reply:
            post = reply["postCreated"]["post"]
            self.ends[post["id"]] = int(post["post"]["expires"]) / 1000
        else:
            self.refused.append(reply)

    async def come_back(self, server):
        """As `connect`, without waiting for the server's messages."""
        loop = asyncio.get_running_loop()
        self._buffer, self._pieces, self._is_upgraded = bytearray(), bytearray(), False
        self._asked, self._ended, self._unconfirmed = {}, loop.create_future(), set(self.topics)
        self.waits = False
        await loop.create_connection(lambda: self, server.host, server.port)
        self.transport.write(UPGRADE.format(server.host, server.port).encode())
        await self.until(lambda: self._is_upgraded)
        self.waits = True
        hello = {"version": 1, "frontEnd": "bot", "language": "en", "token": self.token, "session": self.session}
        self.request("hello", hello | {"cursors": self.cursors()}, then=self._heed)
        self.request("position", {"lat": self.spot[0], "lon": self.spot[1], "h": 30.0}, then=self._heed)

    def _heed(self, reply):
        if reply is None or "refusal" in reply:
            self.faults.append(f"{self.name} cannot come back: {reply or self.end}")

    def data_received(self, data):
        if self.waits:
            self._arrived.append((time.time(), data))
        else:
            super().data_received(data)

    def has_heard(self, word):
        """Whether a message with a word has arrived that is not read yet."""
        return any(word in data for _, data in self._arrived)

    def _note_end(self, event):
        if "left" in event:
            self._leaving.append(event["left"]["instance"])

    def _receive_frame(self, first, payload):
        self._leaving = []
        super()._receive_frame(first, payload)
        if self._leaving:
            self.sweeps.append(self._leaving)

    @property
    def largest_sweep(self):
        """The most seconds that the ends of posts are apart which left the view with one message."""
        ends = [[self.ends[post] for post in posts if post in self.ends] or [0.0] for posts in self.sweeps]
        return max((max(these) - min(these) for these in ends), default=0.0)

    def read(self):
        """Reads the messages that have arrived; notes when each post left the view."""
        self.waits = False
        held, is_first = set(self.ends) - set(self.gone), bool(self._unconfirmed)
        for when, data in self._arrived:
            super().data_received(data)
            if not self.is_complete:
                continue
            shown = set().union(*(topic.instances for topic in self.topics.values()))
            now = held & shown
            if is_first:
                self.seen_again += shown & set(self.ends)
                is_first = False
            self.gone |= dict.fromkeys(held - now, when)
            held = now
        self._arrived.clear()


async def until_all_are_gone(onlookers):
    """Reads what arrives until no onlooker has a post in view."""
    deadline = time.monotonic() + PATIENCE
    while not all(set(each.gone) == set(each.ends) for each in onlookers):
        assert not faults(onlookers), faults(onlookers)[:3]
        assert time.monotonic() < deadline, [
            (each.name, each.end, each.is_complete, [end - time.time() for post, end in each.ends.items()
                                                     if post not in each.gone]) for each in onlookers]
        await pause(0.1)
        for each in onlookers:
            each.read()
            each.waits = True


def check_that_none_was_early(onlookers):
    early = [each.ends[post] - when for each in onlookers for post, when in each.gone.items()]
    assert max(early) < 0.005, f"{max(early)} s too early"


def check_ends(onlookers):
    """No post left a view before its time, and each left at its own time: posts that leave with one message ended at
    about the same time. A server that looks for ended posts now and then takes many away at once. For a test that is
    alone: a busy machine holds a server up for longer than these ends are apart."""
    check_that_none_was_early(onlookers)
    ends = [end for each in onlookers for end in each.ends.values()]
    assert len(set(ends)) > 10 and sum(len(each.sweeps) for each in onlookers) > 10, "too few posts"
    assert max(each.largest_sweep for each in onlookers) < (max(ends) - min(ends)) / 2


async def waiting(onlookers, began):
    """Has onlookers keep what arrives from this time on. Not sooner: who waits answers no ping."""
    await pause(began - time.time())
    for each in onlookers:
        each.waits = True


def set_life(file, seconds):
    """How long posts live, when a server begins with the settings in a file or reads them again. It begins with a life
    of seconds: posts that come before it has read them again live as long as it began with."""
    file.write_text(f"posts:\n  lifeSeconds: {seconds}\n")


async def filled(server, file, count, life):
    """Onlookers whose posts all end within one second, `life` seconds from now, and that second. If that is too short
    to make them, others get twice the time."""
    for attempt in range(5):
        sites = range(100 * attempt, 100 * attempt + max(10, count // 2_000))
        onlookers = [Onlooker(f"author{number}", square(number)) for number in sites]
        await together(16, lambda each: each.connect(server), onlookers)
        if last := await filled_in_time(server, file, count, life * 2**attempt, onlookers):
            return onlookers, last
        for each in onlookers:
            each.drop()
    raise AssertionError("the posts took too long to make")


async def filled_in_time(server, file, count, life, onlookers):
    """The second in which all posts end, or None if they could not be made before."""
    last = math.floor(time.time()) + life

    async def shorten():
        """Makes later posts live for a shorter time, so that all end together."""
        while True:
            left = last - math.floor(time.time())
            set_life(file, max(1, left))
            server.process.send_signal(signal.SIGHUP)
            await pause(1 - time.time() % 1)

    shortening = asyncio.create_task(shorten())
    await pause(0.2)
    each = count // len(onlookers)
    try:
        await asyncio.gather(*(one.leave_posts(each, life - 2) for one in onlookers))
    except TimeoutError:
        return None
    finally:
        shortening.cancel()
    assert not any(one.refused for one in onlookers), next(one.refused for one in onlookers if one.refused)[:1]
    return last if time.time() < last - 1 else None


def report(words, values):
    print(f"{words}: median {percentile(values, 0.5):.3f}, p99 {percentile(values, 0.99):.3f}, max {max(values):.3f} s")


LIFE = int(os.environ.get("CAIRN_POST_SECONDS", max(8, POSTS // 1_500)))


@pytest.mark.seconds(60 + 3 * LIFE)
async def test_posts_that_end_in_one_second_are_gone_within_one_though_the_server_is_killed_amid_it(start, tmp_path):
    file = tmp_path / "cairn.yaml"
    set_life(file, LIFE)
    server = start("--config", str(file), **FREE)
    onlookers, last = await filled(server, file, POSTS, LIFE)
    # A busy server makes posts live for a second that is over, so that they end a moment later.
    ends = sorted(end for each in onlookers for end in each.ends.values())
    await waiting(onlookers, ends[0] - 1)
    await pause(ends[len(ends) // 2] - time.time())
    async with asyncio.timeout(PATIENCE):
        while not any(each.has_heard(b'"left"') for each in onlookers):
            await pause(0.02)
    await asyncio.to_thread(server.kill)
    # What ends while the server starts may be in a view for the moment until its end is told.
    starts = time.time()
    server = await asyncio.to_thread(start, "--config", str(file), **FREE)
    ready = time.time()
    await asyncio.gather(*(each.ended() for each in onlookers))
    for each in onlookers:
        each.read()
    before = {post: when - each.ends[post] for each in onlookers for post, when in each.gone.items()}
    await together(64, lambda each: each.come_back(server), onlookers)
    await until_all_are_gone(onlookers)
    late = []
    for each in onlookers:
        late += [when - max(each.ends[post], ready if post not in before else 0) for post, when in each.gone.items()]
        assert all(each.ends[post] > starts for post in each.seen_again), "what had ended is shown again"
        assert not before.keys() & set(each.seen_again), "what was gone is shown again"
    report(f"{len(late)} posts, {len(before)} before the kill, ready {ready - last:.2f} s into it; gone after", late)
    check_that_none_was_early(onlookers)
    assert len(before) > 0


async def others_placing(host, port):
    """Prints the seconds from each placement to its acknowledgement, of ten people who place for 2.5 s. They connect,
    place once, and say so; they go on at the time that they are told."""
    server = SimpleNamespace(host=host, port=port)
    others = [Bot(f"other{number}", square(5_000 + number)) for number in range(10)]
    await together(10, lambda each: each.connect(server), others)
    for each in others:
        each.place(f"first of {each.name}")
        await each.until(lambda each=each: not each.sent_at)
        each.latencies.clear()
    print("ready", flush=True)
    await pause(float(sys.stdin.readline()) - time.time())
    keys = itertools.count()
    await paced(200, 2.5, lambda number: others[number % 10].place(f"key-{next(keys)}"))
    for each in others:
        await each.until(lambda: not each.sent_at)
    assert not faults(others), faults(others)[:3]
    print(json.dumps([seconds for each in others for seconds in each.latencies]))


async def while_posts_end(start, folder, *, end):
    """How long others wait for answers, as posts end within a second or while none ends."""
    folder.mkdir()
    file, life = folder / "cairn.yaml", LIFE * (1 if end else 100)
    set_life(file, life)
    what = f"{'with' if end else 'without'} ends"
    server = start("--config", str(file), folder=folder / "world", **FREE)
    # In a process of their own: what they wait for the interpreter that receives the ends is not the server's.
    others = await asyncio.create_subprocess_exec(
        sys.executable, __file__, server.host, str(server.port), stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE)
    assert await others.stdout.readline() == b"ready\n"
    onlookers, last = await filled(server, file, POSTS, life)
    began = last - 0.5 if end else time.time() + 1
    others.stdin.write(f"{began}\n".encode())
    await waiting(onlookers, began - 0.5)
    said, _ = await others.communicate()
    assert others.returncode == 0
    waited = json.loads(said)
    report(f"{POSTS} posts {what}, placements of others", waited)
    if end:
        await until_all_are_gone(onlookers)
        late = [when - each.ends[post] for each in onlookers for post, when in each.gone.items()]
        report(f"{len(late)} posts gone after", late)
        check_ends(onlookers)
    assert not faults(onlookers)
    server.kill()
    return waited


@pytest.mark.alone
@pytest.mark.seconds(120 + 6 * LIFE)
async def test_posts_that_end_in_one_second_hold_up_nobody_else(start, tmp_path):
    """The latency of others' answers while posts end, and while no post ends."""
    quietly, busily = [await while_posts_end(start, tmp_path / f"end-{end}", end=end) for end in (False, True)]
    quiet, busy = percentile(quietly, 0.99), percentile(busily, 0.99)
    print(f"p99 {1000 * quiet:.1f} ms without, {1000 * busy:.1f} ms with ends: {busy / quiet:.2f}")
    # The short form runs for seconds, so it detects stalls only. Few are as slow by chance as the slowest of a thousand
    # without ends.
    usual = max(1.1 * quiet, percentile(quietly, 0.999))
    assert busy < usual if POSTS > 10_000 else busy < HELD_UP * quiet


if __name__ == "__main__":
    asyncio.run(others_placing(sys.argv[1], int(sys.argv[2])))
