"""Thousands of votes: scores over switches, cuts and kills (RCT-3).

The short form is part of every run. CAIRN_VOTERS=10000 makes it long; the long form needs the release build and an idle
machine."""

import asyncio
import os
import random

import pytest

from swarm import Bot, faults, pause, together
from test_many_posts import FREE, Onlooker, square

VOTERS = int(os.environ.get("CAIRN_VOTERS", 120))
VOTES = 6  # of each person


class Voter:
    """Votes until each vote is answered, over cuts and restarts, with the key of the first attempt."""

    def __init__(self, number, posts, spot, address, seed):
        self.bot = Bot(f"voter{number}", spot)
        self.posts, self.address, self.dice = posts, address, random.Random(seed * 1_000_003 + number)
        self.last = {}  # post -> the last vote that was answered
        self.answered = 0

    async def live(self, votes):
        for number in range(votes):
            # Few posts with many votes, so that votes are changed and withdrawn.
            post = self.dice.choice(self.posts[: 2 + self.bot.spot_number % 3] if number % 2 else self.posts)
            choice = self.dice.choice([1, 1, -1, 0])
            body, key = {"post": post["id"], "cell": post["cell"], "vote": choice}, f"{number}"
            answer = await self.vote(body, key)
            assert answer.get("vote", 0) == choice
            self.last[post["id"]] = choice
            self.answered += 1
            if self.dice.random() < 0.1:
                self.bot.drop()
                # With the same key it gets the same answer and counts once.
                assert await self.vote(body, key) == answer
        self.bot.drop()

    async def vote(self, body, key):
        while True:
            try:
                if not self.bot.is_open:
                    while self.address() is None:
                        await pause(0.02)
                    await self.bot.connect(self.address())
                return await self.bot.ask("vote", body, key)
            except (OSError, EOFError, TimeoutError):
                self.bot.drop()
                await pause(0.1 * self.dice.random())


@pytest.mark.seconds(120 + VOTERS // 10)
async def test_scores_of_many_posts_are_the_serial_count_over_switches_cuts_and_kills(start):
    sites = max(4, VOTERS // 400)
    server = start(**FREE)
    authors = [Onlooker(f"author{number}", square(number)) for number in range(sites)]
    await together(16, lambda each: each.connect(server), authors)
    await asyncio.gather(*(each.leave_posts(max(5, VOTERS // 10 // sites), 60) for each in authors))
    posts = [[{"id": post, "cell": each.cell} for post in each.ends] for each in authors]
    for each in authors:
        each.drop()
    running = {"server": server}
    voters = []
    for number in range(VOTERS):
        voter = Voter(number, posts[number % sites], square(number % sites), lambda: running["server"], seed=7)
        voter.bot.spot_number = number
        voters.append(voter)
    voting = asyncio.create_task(together(200, lambda each: each.live(VOTES), voters))
    kills, kills_wanted = 0, max(2, VOTERS // 500)
    while not voting.done():
        await asyncio.wait([voting], timeout=0.02)
        if sum(voter.answered for voter in voters) > (kills + 0.5) / kills_wanted * VOTERS * VOTES:
            running["server"] = None
            await asyncio.to_thread(server.kill)
            running["server"] = server = await asyncio.to_thread(start, **FREE)
            kills += 1
    await voting
    assert not faults([each.bot for each in voters])
    server.kill()
    server = start(**FREE)
    expected = {post["id"]: 0 for site in posts for post in site}
    for voter in voters:
        for post, vote in voter.last.items():
            expected[post] += vote
    told = {}
    for number in range(sites):
        viewer = Bot(f"viewer{number}", square(number))
        await viewer.connect(server)
        told |= {id: thing["post"].get("score", 0) for id, thing in viewer.everything().items()}
    votes = sum(len(voter.last) for voter in voters)
    print(f"{VOTERS} people, {len(expected)} posts, {votes} votes that stand, {kills} kills")
    assert told == expected
    assert kills == kills_wanted and votes > VOTERS
