"""People who place and react without a pause and remember all of their requests and answers."""

import asyncio
import dataclasses

from cairn import PATIENCE, Client, Refused, away, pose, seen
from s2 import token


@dataclasses.dataclass
class Placement:
    """One placement as its client knows it. Its key is also the id of its anchor, by which it is found again."""

    key: str
    pose: dict
    instance: dict = None  # as acknowledged


@dataclasses.dataclass
class Reaction:
    key: str
    instance: dict
    reaction: str
    is_acknowledged: bool = False


class Writer:
    """One account at one site: places, reacts, and remembers the answers."""

    def __init__(self, name, site, chance):
        self.name, self.site, self.chance = name, site, chance
        self.client = self.cell = self.token = None
        self.placements = {}
        self.reactions = {}

    async def connect(self, server):
        name = "" if self.token else self.name
        self.client = await Client.connect(server, name, token=self.token or "", called=self.name)
        if self.token is None:
            self.token = self.client.welcome["token"]
        assert self.client.welcome["name"] == self.name
        self.cell = await self.client.stand_at(*self.site)
        await self.client.view(self.cell)

    def made_up(self):
        """A unique placement."""
        key, chance = f"{self.name}-{len(self.placements)}", self.chance
        turned = [chance.gauss(0, 1) for _ in range(4)]
        length = sum(w * w for w in turned) ** 0.5
        at = away(*self.site, north=chance.uniform(-15, 15), east=chance.uniform(-15, 15))
        assert token(*at) == token(*self.site)
        made = pose(
            *at, chance.uniform(-40, 100), turned=[w / length for w in turned], scale=chance.uniform(0.01, 100),
            anchor={"provider": "crash", "id": key},
        )  # fmt: skip
        self.placements[key] = Placement(key, made)
        return self.placements[key]

    async def place(self, placement):
        """Sends a placement, for the first time or again; its answer is recorded on arrival."""
        answer = await self.client.post("place", {"object": "preset:flag", "pose": placement.pose}, key=placement.key)
        answer.add_done_callback(lambda answer: self._placed(placement, answer))
        return answer

    def _placed(self, placement, answer):
        if answer.exception() is None:
            instance = seen(answer.result()["instance"])
            assert placement.instance in (None, instance), f"{placement.key} was acknowledged as two different things"
            placement.instance = instance

    async def react(self, instance, name):
        """Reacts once to an instance, or sends the request again with the same key and the same reaction."""
        key = f"r-{self.name}-{instance['id']}"
        reaction = self.reactions.setdefault(instance["id"], Reaction(key, instance, name))
        body = {"instance": instance["id"], "cell": instance["cell"], "reaction": reaction.reaction}
        answer = await self.client.post("react", body, key=reaction.key)
        answer.add_done_callback(lambda answer: answer.exception() or setattr(reaction, "is_acknowledged", True))
        return answer

    @property
    def acknowledged(self):
        return [placement for placement in self.placements.values() if placement.instance]

    @property
    def unacknowledged(self):
        return [placement for placement in self.placements.values() if not placement.instance]


def by_key(instances):
    """Instances by the key of their placement; each only once."""
    found = {}
    for instance in instances:
        key = instance["pose"]["anchor"]["id"]
        assert key not in found, f"{key} is there twice: {found[key]['id']} and {instance['id']}"
        found[key] = instance
    return found


async def all_done(answers):
    """Waits for any answers."""
    if answers:
        await asyncio.wait(answers, timeout=PATIENCE)
    assert all(answer.done() for answer in answers), "requests without an answer"


async def accepted(answers):
    """The number of accepted requests, and the codes of the others."""
    await all_done(answers)
    refusals = [answer.exception() for answer in answers if answer.exception()]
    assert all(isinstance(refusal, Refused) for refusal in refusals), refusals
    return len(answers) - len(refusals), {refusal.code for refusal in refusals}
