"""An oracle of visibility: it knows who may see what of whom, and reads every byte that any connection gets.

It knows nothing of the server but its protocol. Everything that a sub-realm must keep is a secret with a text of its
own: the sub-realm's id in both its forms, its name, and the id and text of each instance that is shared in it. A secret
that arrives at a connection whose account has no right to it is a leak. A right begins when its request is sent. It
ends when the request that ends it is answered, and for each connection when it has got a later answer: what was in
the kernel before may still arrive.

People who have blocked each other see nothing of each other, in no direction: no instance, no name, no pose.
"""

import json
import re
from functools import lru_cache
from typing import NamedTuple

TOKEN = re.compile(r"[0-9a-z]{13}")


class Leak(AssertionError):
    """A secret reached a connection without a right to it."""


class Item(NamedTuple):
    """One thing that a message says."""

    content: dict
    text: str
    is_live: bool  # of the live view
    tokens: list  # all that may be a secret


def item_of(content, text=None):
    text = text or json.dumps(content, separators=(",", ":"))
    is_live = text.startswith(('{"event"', '{"snapshot"', '{"presence"'))
    return Item(content, text, is_live, TOKEN.findall(text))


@lru_cache(1_000)
def items_of(message):
    """The items of a message. Many connections get the same bytes; they are read once."""
    content = json.loads(message)
    assert content.keys() == {"items"}
    if len(content["items"]) == 1 and message.startswith('{"items":['):
        return [item_of(content["items"][0], message[len('{"items":[') : -len("]}")])]
    return [item_of(item) for item in content["items"]]


class Realm:
    """A sub-realm as the oracle knows it."""

    def __init__(self, name, owner):
        self.name = name
        self.id = None
        self.owner = owner
        self.members = {owner}
        self.known = {owner}  # accounts that have ever been told of it
        self.is_open = False
        self.is_deleted = False
        self.leaving = {}  # account -> connections that may still get what was sent before

    def admits(self, account, connection):
        return account in self.members or connection in self.leaving.get(account, ())


class Block:
    """Two people, one of whom has blocked the other, or both."""

    def __init__(self):
        self.by = set()
        self.known = False  # answered: from here on neither sees anything of the other
        self.late = set()  # connections that may still get what was sent before


class Thing:
    """An instance: its owner, and the sub-realms in which it is shared; none = it is public."""

    def __init__(self, owner, realms, spot=0):
        self.owner = owner
        self.spot = spot
        self.realms = list(realms)
        self.instance = None
        self.is_public = not realms


class Oracle:
    """Judges every item of every connection."""

    def __init__(self):
        self.realms = {}  # secret -> Realm
        self.things = {}  # secret -> Thing
        self.blocks = {}  # pair of accounts -> Block
        self.people = set()  # accounts
        self.items = 0
        self.secrets = 0
        self.met = 0  # items of the live view that told somebody of somebody else
        self.leaks = []

    def add_realm(self, realm, *secrets):
        for secret in secrets:
            self.realms[secret] = realm

    def add_thing(self, thing, secret):
        self.things[secret] = thing

    def judge(self, account, connection, item):
        """An item as it has arrived."""
        self.items += 1
        text, is_live = item.text, item.is_live
        for token in item.tokens:
            if is_live and token in self.people:
                self._judge_person(token, account, connection, text)
            thing = self.things.get(token)
            if thing and is_live:
                self._judge_person(thing.owner, account, connection, text)
            if thing and not thing.is_public:
                self.secrets += 1
                if account != thing.owner and not any(r.admits(account, connection) for r in thing.realms):
                    self._leak(account, token, "an instance", text)
            elif realm := self.realms.get(token):
                self.secrets += 1
                if not (realm.admits(account, connection) or self._may_know(realm, account, text)):
                    self._leak(account, token, "a sub-realm", text)

    def _judge_person(self, person, account, connection, text):
        """Something of a person in the live view of another."""
        if person == account:
            return
        self.met += 1
        block = self.blocks.get(frozenset((person, account)))
        if block and block.known and connection not in block.late:
            self._leak(account, person, "a person who is absent", text)

    def judge_pose(self, account, slot, roster, batch):
        """A pose in a batch, and the people whom the connection knows in that cell."""
        if slot not in roster:
            self._leak(account, f"slot {slot}", "nobody whom the connection knows", str(batch))

    @staticmethod
    def _may_know(realm, account, text):
        # Open ones show id, name and description; notifications, invitations and lists name those one has to do with.
        # Nothing but a member's topic carries events.
        return "/r" not in text and (realm.is_open or account in realm.known)

    def _leak(self, account, token, what, text):
        self.leaks.append(f"{account} got {token} of {what}: {text[:400]}")
