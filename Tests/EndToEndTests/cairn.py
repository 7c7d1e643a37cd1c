"""Cairn from the outside: a client of the JSON subprotocol.

    with Server.start(folder) as server:  # server.py
        ada = await Client.connect(server, "Ada")
        await ada.stand_at(45.5, -73.57)
        heart = await ada.place(pose(45.5, -73.57))

A client keeps the state that the server sends (`topics`, `people`, `counts`). It checks that every request gets one
reply, and that the events of every topic arrive in order, without a gap or a repeat. A broken rule fails the running
test, whatever the test checks.
"""

import asyncio
import base64
import itertools
import json
import math
import pathlib
import struct
import time
import uuid

import websockets

# Seconds after which a missing answer fails the test. It is for hangs: an answer on a busy machine comes long before.
PATIENCE = 60.0


# MARK: - Values


def pose(lat, lon, h=30.0, *, turned=(0.0, 0.0, 0.0, 1.0), **more):
    """A `Pose`: position, quaternion x, y, z, w, and further fields (scale, accuracy, anchor)."""
    x, y, z, w = turned
    geopose = {"position": {"lat": lat, "lon": lon, "h": h}, "quaternion": {"x": x, "y": y, "z": z, "w": w}}
    return {"geopose": geopose, **more}


def middle_of_square(lat, lon, grid):
    """The middle of a square, computed independently from the rule (PRF-8): bands and columns of whole squares, the
    number of columns to six bits."""
    degree = 6_371_010 * math.pi / 180
    band = 180 / math.floor(180 * degree / grid)
    number = math.floor((lat + 90) / band)
    edge = max(abs(number * band - 90), abs((number + 1) * band - 90))
    columns = math.floor(360 * degree * math.cos(math.radians(edge)) / grid)
    spare = max(columns.bit_length() - 6, 0)
    column = 360 / (columns >> spare << spare)
    return (number + 0.5) * band - 90, (math.floor((lon + 180) / column) + 0.5) * column - 180


def away(lat, lon, *, north=0.0, east=0.0):
    """The point at these metres north and east. Exact to a few per mille below a kilometre."""
    return lat + north / 111_320, lon + east / (111_320 * math.cos(math.radians(lat)))


def metres(lat, lon, origin):
    """Metres east and north of an origin, by the formulas of docs/protocol.md."""
    lat0 = math.radians(origin[0])
    root = math.sqrt(1 - 0.00669437999014 * math.sin(lat0) ** 2)
    east = math.radians(lon - origin[1]) * 6_378_137 * math.cos(lat0) / root
    return east, math.radians(lat - origin[0]) * 6_378_137 * (1 - 0.00669437999014) / root**3


def bits(placed):
    """Every number of a pose as its 64 bits, the rest unchanged: equal only if the poses are identical.

    A number that the JSON leaves out stands for 0.0."""

    def double(value):
        return struct.pack("<d", float(value or 0.0)).hex()

    position = placed["geopose"]["position"]
    quaternion = placed["geopose"]["quaternion"]
    anchor = placed.get("anchor") or {}
    return {
        "position": [double(position.get(name)) for name in ("lat", "lon", "h")],
        "quaternion": [double(quaternion.get(name)) for name in ("x", "y", "z", "w")],
        "scale": double(placed["scale"]) if "scale" in placed else None,
        "accuracy": double(placed["accuracy"]) if "accuracy" in placed else None,
        "anchor": None
        if not anchor
        else {
            "provider": anchor.get("provider", ""),
            "id": anchor.get("id", ""),
            "transform": [double(number) for number in anchor.get("transform", [])],
            "data": base64.b64decode(anchor.get("data", "")).hex(),
        },
    }


async def eventually(condition, what, seconds=PATIENCE):
    """Polls until the answer is true and returns it; for state that sends no notice of its changes."""
    deadline = time.monotonic() + seconds
    while not (answer := await condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what() if callable(what) else what}")
        await asyncio.sleep(0.02)
    return answer


#: The schema as cairn.js has it: messages, enums and requests.
SCHEMA = json.loads(
    (pathlib.Path(__file__).resolve().parents[2] / "Sources/CairnPlay/Resources/cairn/schema.json").read_text())
#: Requests that need an idempotency key.
CHANGES = frozenset(kind for kind, request in SCHEMA["requests"].items() if request["keyed"])
#: What each request may be answered with, beside a refusal.
SUCCESSES = {kind: {request["success"], "done"} for kind, request in SCHEMA["requests"].items()}
SUCCESSES["endDevice"].add("newToken")  # of all other devices


class Refused(Exception):
    """A refusal by the server, with its code."""

    def __init__(self, refusal):
        super().__init__(f"{refusal['code']}: {refusal.get('message')}")
        self.code = refusal["code"]
        self.message = refusal.get("message", "")
        self.component = refusal.get("component", "")
        self.retry_after = refusal.get("retryAfter")
        self.correlation = refusal.get("correlation", "")
        self.details = refusal.get("details", {})


class RuleBroken(AssertionError):
    """The server broke a rule of the protocol."""


class Ended(Exception):
    """The connection has ended while something still waited on it."""


# MARK: - A client's state


class Topic:
    """The instances of one topic: a snapshot and the numbered events since (SES-7)."""

    def __init__(self, name):
        self.name = name
        self.epoch = None
        self.sequence = None
        self.instances = {}
        self.hidden = {}  # posts that their score has hidden; it is for their authors to show them
        self.is_complete = False
        self.snapshots = 0
        self.events = 0

    @property
    def cursor(self):
        return {"topic": self.name, "epoch": self.epoch, "sequence": str(self.sequence)}

    def start_over(self):
        self.is_complete = False
        self.sequence = None

    def receive_page(self, page):
        cursor = page["cursor"]
        at = (cursor["epoch"], int(cursor.get("sequence", 0)))
        if page.get("first"):
            if self.is_complete and self.epoch == at[0] and at[1] < self.sequence:
                raise RuleBroken(f"{self.name}: a snapshot leads back from {self.sequence} to {at[1]}")
            self.epoch, self.sequence = at
            self.instances = {}
            self.is_complete = False
        elif self.is_complete or (self.epoch, self.sequence) != at:
            raise RuleBroken(f"{self.name}: a page of {at} after {(self.epoch, self.sequence)}")
        for instance in page.get("instances", []):
            if instance["id"] in self.instances:
                raise RuleBroken(f"{self.name}: {instance['id']} is twice in a snapshot")
            self.instances[instance["id"]] = instance
        if page.get("last"):
            self.is_complete = True
            self.snapshots += 1

    def receive_event(self, event):
        number = int(event["sequence"])
        if not self.is_complete:
            raise RuleBroken(f"{self.name}: event {number} without a complete snapshot")
        if number != self.sequence + 1:
            raise RuleBroken(f"{self.name}: event {number} after event {self.sequence}")
        self.sequence = number
        self.events += 1
        if "entered" in event:
            instance = event["entered"]["instance"]
            if instance["id"] in self.instances:
                raise RuleBroken(f"{self.name}: {instance['id']} entered twice")
            self.instances[instance["id"]] = dict(instance)
        elif "changed" in event:
            changed = event["changed"]
            held = self._held(changed["instance"], event)
            if changed["version"] <= held["version"]:
                raise RuleBroken(f"{self.name}: version {changed['version']} after {held['version']}")
            held.update(version=changed["version"], pose=changed["pose"])
            for name in ("text", "data"):
                if name in changed:
                    held[name] = changed[name]
        elif "reacted" in event:
            reacted = event["reacted"]
            held = self._held(reacted["instance"], event)
            held["reactions"] = reacted.get("reactions", [])
        elif "postChanged" in event:
            changed = event["postChanged"]
            held = self._held(changed["post"], event)
            if changed["version"] != held["version"] + 1:
                raise RuleBroken(f"{self.name}: version {changed['version']} after {held['version']}")
            held.update(version=changed["version"], text=changed["text"])
            held["post"]["edited"] = changed["edited"]
        elif "voted" in event:
            voted = dict(event["voted"])
            held = self._held(voted.pop("post"), event)
            held["post"] = {**{k: v for k, v in held["post"].items() if k != "score"}, **voted}
            if voted.get("hidden"):
                self.hidden[held["id"]] = self.instances.pop(held["id"])
        elif "left" in event:
            self._held(event["left"]["instance"], event)
            del self.instances[event["left"]["instance"]]
        elif "movedOut" in event:
            self._held(event["movedOut"]["instance"], event)
            del self.instances[event["movedOut"]["instance"]]

    def _held(self, name, event):
        if name not in self.instances:
            raise RuleBroken(f"{self.name}: event about {name}, which is not here: {event}")
        return self.instances[name]


class Person:
    """A person who shares their position, as last received: metres from the middle of the cell, and the height."""

    def __init__(self, described):
        self.id = described["id"]
        self.name = described["name"]
        self.at = None
        self.accuracy = None
        self.poses = 0

    def update(self, pose, origin):
        self.at = (*metres(pose["lat"], pose["lon"], origin), pose.get("h"))
        self.accuracy = pose.get("accuracy")
        self.poses += 1


# MARK: - The client


class Client:
    """One connection, opened by `connect`. A task of its own handles everything that arrives."""

    opened = []  # every client of the running test, so that the test can end them all

    def __init__(self, socket, name):
        self.socket = socket
        self.name = name
        self.welcome = None
        self.topics = {}
        self.people = {}  # cell -> slot -> Person
        self.origins = {}  # cell -> lat and lon of its middle
        self.counts = {}  # cell -> number of hidden people, as last received
        self.own = {}  # topic -> id -> created, as received
        self.messages = []  # all messages, unparsed
        self.items = []  # all items, in order
        self.refusals = []  # refusals of messages that had no readable id
        self.closing = None
        self.notices = []  # notices of operators
        self.end = None  # (code, reason)
        self.witness = None  # called with each item
        self._ids = itertools.count(1)
        self._asked = {}
        self._kinds = {}  # of what was asked by `post`
        self._broken = None
        self._news = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())
        Client.opened.append(self)

    @classmethod
    async def connect(cls, server, name="", *, hello=True, subprotocol="cairn.v1.json", called=None, sock=None, **more):
        """Opens a connection and sends hello, with the fields `more`, such as token=... or sharePosition=True."""
        socket = await websockets.connect(
            server.url,
            subprotocols=[subprotocol],
            ssl=server.tls,
            sock=sock,
            compression=None,
            max_size=None,
            max_queue=None,
            ping_interval=None,
            open_timeout=PATIENCE,
            close_timeout=2,
        )
        client = cls(socket, called or name)
        if hello:
            body = {"version": 1, "frontEnd": "bot", "language": "en", **more}
            if name:
                body["name"] = name
            client.welcome = await client.ask("hello", body)
        return client

    async def close(self):
        """Closes the connection, and fails if it ever received something that breaks a rule."""
        await self.socket.close()
        await self._listening
        self._check()

    async def drop(self):
        """Ends the connection like a broken link, without a CLOSE."""
        self.socket.transport.abort()
        await self._listening

    # MARK: Sending

    async def send(self, message):
        """Sends a message unchanged: a dict as JSON, text as a text frame, bytes as a binary frame."""
        await self.socket.send(json.dumps(message) if isinstance(message, dict) else message)

    async def post(self, kind, body=None, *, key=None, id=None):
        """Sends a request; returns a future of its answer. A change without `key` gets a new one; "" sends none."""
        number = next(self._ids) if id is None else id
        message = {"id": number, kind: body or {}}
        if key is None and kind in CHANGES:
            key = uuid.uuid4().hex
        if key:
            message["key"] = key
        answer = self.expect(number)
        self._kinds[number] = kind
        if self.end is not None:
            answer.set_exception(Ended(f"{self.name}: the connection is over: {self.end}"))
            return answer
        try:
            await self.send(message)
        except websockets.ConnectionClosed:
            pass  # the listener ends all pending requests
        return answer

    def expect(self, id):
        """A future of the answer to the request with this id, for requests that are sent by `send`."""
        answer = self._asked[id] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # may go unread
        return answer

    async def ask(self, kind, body=None, *, key=None, id=None, seconds=PATIENCE):
        """Sends a request and returns the result in its reply. Raises `Refused` for a refusal."""
        answer = await self.post(kind, body, key=key, id=id)
        await asyncio.wait([answer], timeout=seconds)
        if not answer.done():
            raise AssertionError(f"{self.name}: no answer to {kind} within {seconds} s")
        return answer.result()

    async def stand_at(self, lat, lon, h=30.0, **more):
        """Sends a position; returns the token of the cell."""
        return (await self.ask("position", {"lat": lat, "lon": lon, "h": h, **more}))["cell"]

    async def place(self, at, object="preset:heart", *, key=None, **words):
        """Places an object; `words` may have text=... and data=... (base64)."""
        return seen((await self.ask("place", {"object": object, "pose": at, **words}, key=key))["instance"])

    async def edit(self, instance, to, *, version=None, key=None, **words):
        """Edits an instance, based on its known version; returns its new state, without words that are not named."""
        body = {"instance": instance["id"], "cell": instance["cell"], "pose": to, **words}
        body["version"] = instance["version"] if version is None else version
        return seen((await self.ask("edit", body, key=key))["instance"])

    async def remove(self, instance, *, key=None):
        return await self.ask("remove", {"instance": instance["id"], "cell": instance["cell"]}, key=key)

    async def react(self, instance, reaction, *, key=None):
        """Reacts, or withdraws with ""; returns the totals."""
        body = {"instance": instance["id"], "cell": instance["cell"], "reaction": reaction}
        return totals(await self.ask("react", body, key=key))

    async def select(self, instance):
        selected = await self.ask("select", {"instance": instance["id"], "cell": instance["cell"]})
        return {**selected, "instance": seen(selected["instance"])}

    async def make_post(self, text, *, key=None):
        """Creates a post at the last position; returns it as its author sees it."""
        return (await self.ask("createPost", {"text": text}, key=key))["post"]

    async def vote(self, post, vote, *, key=None):
        """Votes 1 or -1, or withdraws with 0; returns the result."""
        return await self.ask("vote", {"post": post["id"], "cell": post["cell"], "vote": vote}, key=key)

    async def read_post(self, post):
        return await self.ask("readPost", {"post": post["id"], "cell": post["cell"]})

    # MARK: Waiting

    async def until(self, condition, what="what was awaited", seconds=PATIENCE):
        """Waits until `condition()` is true, checked whenever something arrives; returns its value."""
        deadline = time.monotonic() + seconds
        while True:
            self._check()
            if value := condition():
                return value
            left = deadline - time.monotonic()
            if self.end is not None or left <= 0:
                why = f"the connection ended with {self.end}" if self.end else f"not within {seconds} s"
                raise AssertionError(f"{self.name}: no {what}: {why}; heard last: {self.items[-5:]}")
            try:
                await asyncio.wait_for(self._news.wait(), left)
            except asyncio.TimeoutError:
                pass

    async def refusal(self, seconds=PATIENCE):
        """Waits for the next refusal of a message without a readable id."""
        await self.until(lambda: self.refusals, "refusal", seconds)
        return self.refusals.pop(0)

    async def until_ended(self, seconds=PATIENCE):
        """Waits for the end of the connection; returns close code and reason."""
        await asyncio.wait([self._listening], timeout=seconds)
        if self.end is None:
            raise AssertionError(f"{self.name}: the connection is still open after {seconds} s")
        return self.end

    async def view(self, *cells):
        """Waits for the snapshots of these cells; returns the topic of the last one."""
        for cell in cells:
            await self.until(lambda: self.holds(cell), f"snapshot of {cell}")
        return self.topics[cells[-1]]

    def holds(self, cell):
        return cell in self.topics and self.topics[cell].is_complete

    def sees(self, instance, version=None):
        """The instance as this client sees it, in any cell; None while it is in none (or is older)."""
        name = instance if isinstance(instance, str) else instance["id"]
        for topic in self.topics.values():
            if found := topic.instances.get(name):
                if version is None or found["version"] >= version:
                    return found
        return None

    def everything(self):
        """Everything in view: id -> (cell, version, pose bit for bit, reactions)."""
        return {
            name: (topic.name, instance["version"], str(bits(instance["pose"])), totals(instance))
            for topic in self.topics.values()
            for name, instance in topic.instances.items()
        }

    def events(self, kind):
        """All events of a kind that have arrived: (topic, sequence, content)."""
        found = [item["event"] for item in self.items if kind in item.get("event", {})]
        return [(event["topic"], int(event["sequence"]), event[kind]) for event in found]

    # MARK: Receiving

    def _check(self):
        if self._broken:
            raise self._broken

    async def _listen(self):
        try:
            async for text in self.socket:
                self.messages.append(text)
                for item in json.loads(text)["items"]:
                    self.items.append(item)
                    self._receive(item)
                    if self.witness:
                        self.witness(item)
                self._tell()
        except websockets.ConnectionClosed:
            pass
        except Exception as error:  # a broken rule, or a message that cannot be parsed
            self._broken = error if isinstance(error, RuleBroken) else RuleBroken(f"{self.name}: {error!r}")
            self.socket.transport.abort()
        self.end = (self.socket.close_code, self.socket.close_reason)
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(Ended(f"{self.name}: the connection ended with {self.end}"))
        self._tell()

    def _tell(self):
        self._news.set()
        self._news = asyncio.Event()

    def _receive(self, item):
        if "reply" in item:
            self._receive_reply(item["reply"])
        elif "event" in item:
            topic = self.topics.get(item["event"]["topic"])
            if topic is None:
                raise RuleBroken(f"an event of a topic that is not in view: {item}")
            topic.receive_event(item["event"])
        elif "snapshot" in item:
            name = item["snapshot"]["cursor"]["topic"]
            if item["snapshot"].get("first"):
                self.own.pop(name, None)
            self.topics.setdefault(name, Topic(name)).receive_page(item["snapshot"])
        elif "presence" in item:
            self._receive_presence(item["presence"])
        elif "unfollowed" in item:
            name = item["unfollowed"]["topic"]
            # Of a sub-realm's topic the right may end before the first snapshot is sent.
            if self.topics.pop(name, None) is None and "/" not in name:
                raise RuleBroken(f"{name} is unfollowed, but it was not in view")
            self.people.pop(name.split("/")[0], None)
            self.counts.pop(name.split("/")[0], None)
        elif "resync" in item:
            self.topics[item["resync"]["topic"]].start_over()
        elif "own" in item:
            if item["own"]["topic"] not in self.topics:
                raise RuleBroken(f"own things of a topic that is not in view: {item}")
            own = self.own.setdefault(item["own"]["topic"], {})
            own.update({each["id"]: int(each["created"]) for each in item["own"].get("instances", [])})
            self.topics[item["own"]["topic"]].hidden.update(
                {each["id"]: each for each in item["own"].get("hidden", [])})
        elif "closing" in item:
            self.closing = item["closing"]
        elif "notice" in item:
            self.notices.append(item["notice"])

    def _receive_reply(self, reply):
        number = reply.get("id", 0)
        kind, result = next((kind, result) for kind, result in reply.items() if kind != "id")
        if number == 0:
            self.refusals.append(Refused(result))
            return
        answer = self._asked.get(number)
        if answer is None or answer.done():
            raise RuleBroken(f"a reply that nobody asked for, or a second one: {number} {kind}")
        asked = self._kinds.pop(number, None)
        if kind == "refusal":
            answer.set_exception(Refused(result))
        elif kind not in SUCCESSES.get(asked, {kind}):
            raise RuleBroken(f"a success that the schema does not name: {number} {kind}")
        else:
            answer.set_result(result)

    def _receive_presence(self, batch):
        cell = batch["cell"]
        if not any(topic.split("/")[0] == cell for topic in self.topics):
            raise RuleBroken(f"presence in {cell}, which is not in view")
        if batch.get("keyframe"):
            self.people[cell] = {}
            self.origins[cell] = batch["originLat"], batch["originLon"]
            self.counts.pop(cell, None)
        here = self.people.setdefault(cell, {})
        for slot in batch.get("left", []):
            here.pop(slot, None)
        for person in batch.get("joined", []):
            here[person.get("slot", 0)] = Person(person)
        if "poses" in batch:
            raise RuleBroken(f"{cell}: records of the binary form")
        for pose in batch.get("livePoses", []):
            slot = pose.get("slot", 0)
            if slot not in here:
                raise RuleBroken(f"{cell}: a pose of slot {slot}, where nobody is")
            here[slot].update(pose, self.origins[cell])
        if "people" in batch:
            self.counts[cell] = batch["people"]

    def person(self, name):
        """The person of this name who shares their position, in any cell in view; None = not seen."""
        return next((p for here in self.people.values() for p in here.values() if p.name == name), None)

    def place_of(self, name):
        """The place of the person of this name: metres east and north of the middle of their cell; None = not seen."""
        person = self.person(name)
        return person.at[:2] if person and person.at else None


def seen(instance):
    """An instance without the fields that only its placer gets."""
    return {field: value for field, value in instance.items() if field not in ("placer", "created")}


def totals(carrier):
    """Reaction totals as {reaction: count}."""
    return {entry["reaction"]: entry["count"] for entry in carrier.get("reactions", [])}
