"""A client of Cairn in one file: connect, tell a position, place, react, resume; and the maps between frames.

Needs Python 3.10 and `pip install websockets`. Run by the project's tests.
"""

import asyncio
import json
import math
import secrets

import websockets

URL = "ws://127.0.0.1:8080/v1"
TOKEN = ""  # of an earlier welcome or of your app's backend; empty: the name is enough where the server lets anybody in
NAME = "ada"
HERE = {"lat": 47.3769, "lon": 8.5417, "h": 408.0}

# Between GeoPose's east-north-up frame and the axes of ARKit, ARCore and WebXR: +X east, +Y up, -Z north.


def to_device(position, quaternion):
    (east, north, up), (x, y, z, w) = position, quaternion
    return (east, up, -north), (x, z, -y, w)


def from_device(position, quaternion):
    (px, py, pz), (x, y, z, w) = position, quaternion
    return (px, -pz, py), (x, -z, y, w)


HALF = math.sqrt(0.5)
VECTORS = [  # east-north-up, then the device's
    (((1, 2, 3), (0, 0, 0, 1)), ((1, 3, -2), (0, 0, 0, 1))),
    (((0, 10, 0), (0, 0, HALF, HALF)), ((0, 0, -10), (0, HALF, 0, HALF))),
    (((-4, 0, 1.5), (HALF, 0, 0, HALF)), ((-4, 1.5, 0), (HALF, 0, 0, HALF))),
    (((0, -7, -0.25), (0, HALF, 0, HALF)), ((0, -0.25, 7), (0, 0, -HALF, HALF))),
    (((1, -1, 1), (0.5, 0.5, 0.5, 0.5)), ((1, 1, 1), (0.5, 0.5, -0.5, 0.5))),
]


class Session:
    """What survives a cut: who we are, and how much of each topic we have seen."""

    def __init__(self):
        self.token, self.session, self.cursors, self.things, self.last_id = TOKEN, "", {}, {}, 0

    async def connect(self):
        self.socket = await websockets.connect(URL, subprotocols=["cairn.v1.json"])
        hello = {"version": 1, "frontEnd": "sample", "session": self.session, "cursors": list(self.cursors.values())}
        hello |= {"token": self.token} if self.token else {"name": NAME}
        welcome = (await self.ask("hello", hello))["welcome"]
        self.token, self.session = welcome.get("token", ""), welcome.get("session", "")
        return welcome

    async def ask(self, kind, body, key=None):
        """Sends a request and waits for its answer. A change has a key: sent again with it, it still happens once."""
        self.last_id += 1
        number = self.last_id
        message = {"id": number, kind: body} | ({"key": key} if key else {})
        await self.socket.send(json.dumps(message))
        while True:
            for item in json.loads(await self.socket.recv()).get("items", []):
                self.take(item)
                reply = item.get("reply")
                if reply and reply.get("id") == number:
                    if "refusal" in reply:
                        raise RuntimeError(reply["refusal"]["code"] + ": " + reply["refusal"]["message"])
                    return reply

    def take(self, item):
        """Keeps the view: snapshots, then numbered events."""
        if snapshot := item.get("snapshot"):
            cursor = snapshot["cursor"]
            if snapshot.get("last"):
                self.cursors[cursor["topic"]] = cursor
            for thing in snapshot.get("instances", []):
                self.things[thing["id"]] = thing
        elif event := item.get("event"):
            if cursor := self.cursors.get(event["topic"]):
                cursor["sequence"] = event["sequence"]
            if "entered" in event:
                self.things[event["entered"]["instance"]["id"]] = event["entered"]["instance"]
            elif "left" in event:
                self.things.pop(event["left"]["instance"], None)


async def main():
    for enu, device in VECTORS:
        for found, wanted in ((to_device(*enu), device), (from_device(*device), enu)):
            assert all(abs(a - b) < 1e-12 for a, b in zip(found[0] + found[1], wanted[0] + wanted[1]))

    session = Session()
    welcome = await session.connect()
    print("welcome,", welcome.get("name", "guest"))
    cell = (await session.ask("position", HERE))["positioned"]["cell"]
    print("in cell", cell)

    pose = {"geopose": {"position": HERE, "quaternion": {"x": 0, "y": 0, "z": 0, "w": 1}}}
    key = secrets.token_hex(16)
    heart = (await session.ask("place", {"object": "preset:heart", "pose": pose}, key))["placed"]["instance"]
    print("placed", heart["id"])
    target = {"instance": heart["id"], "cell": heart["cell"], "reaction": "like"}
    print("reacted", (await session.ask("react", target, secrets.token_hex(16)))["reactionSet"]["reactions"])

    # The link breaks. The same request with the same key gives the first answer again and places nothing.
    # (To close it would say that we are leaving, and end the session.)
    session.socket.transport.abort()
    welcome = await session.connect()
    print("resumed", welcome.get("resumed", False))
    await session.ask("position", HERE)
    again = (await session.ask("place", {"object": "preset:heart", "pose": pose}, key))["placed"]["instance"]
    assert again["id"] == heart["id"]
    await session.ask("remove", {"instance": heart["id"], "cell": heart["cell"]}, secrets.token_hex(16))
    print("removed", heart["id"])
    await session.socket.close()


asyncio.run(main())
