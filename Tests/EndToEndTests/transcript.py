"""Two people and one server: prints the messages in both directions, shortened.

    .venv/bin/python Tests/EndToEndTests/transcript.py

The same story is a test (test_live_space.py), so the printed transcript is correct.
"""

import asyncio
import os
import sys
import tempfile

from cairn import Client, Refused, away, bits, pose, totals
from server import Server

# Cells at this place lie along north and east.
START = (0.5000, 1.0004)


async def story(server, tell, restart):
    """The story. `tell` receives each line; `restart` kills the server and returns its replacement."""

    class Storyteller(Client):
        is_walking = False

        async def send(self, message):
            line = None if self.is_walking else said(message)
            if line:
                tell(f"{self.name:4}> {line}")
            await super().send(message)

        def _receive(self, item):
            line = heard(item)
            if line and not (self.is_walking and "positioned" in line):
                tell(f"{self.name:4}< {line}")
            super()._receive(item)

    tell(f"{'':4}  {server.greeting[0]}; {server.url}, subprotocol cairn.v1.json")
    ada = await Storyteller.connect(server, "Ada", sharePosition=True)
    bob = await Storyteller.connect(server, "Bob")
    cell = await ada.stand_at(*START)
    await ada.view(cell)
    assert await bob.stand_at(*away(*START, north=8)) == cell
    await bob.view(cell)
    await bob.until(lambda: bob.person("Ada"), "Ada, who shares her position")

    heart = await ada.place(pose(*away(*START, north=5)))
    await bob.until(lambda: bob.sees(heart), "the heart")
    first = heart
    heart = await ada.edit(heart, pose(*away(*START, north=5), 31.5))
    await bob.until(lambda: bob.sees(heart, version=2), "the edit")
    try:
        await ada.edit(first, pose(*START))
        raise AssertionError("an edit of an old version was taken")
    except Refused as refusal:
        assert refusal.code == "version_conflict"
    assert await bob.react(heart, "love") == {"love": 1}
    await ada.until(lambda: totals(ada.sees(heart)) == {"love": 1}, "the reaction")

    tell(f"{'':4}  Bob walks 300 m east and back, while Ada places a star")
    path, bob.is_walking, star = [cell], True, None
    for metres in [*range(0, 300, 15), *range(300, -1, -15)]:
        here = await bob.stand_at(*away(*START, north=8, east=metres))
        if here != path[-1]:
            tell(f"{bob.name:4}  is in cell {here}, {metres} m from where he was")
            path.append(here)
        if metres == 300:
            star = await ada.place(pose(*START), "preset:star")
    bob.is_walking = False
    assert len(path) >= 5 and path == path[::-1], f"two borders out and two back: {path}"
    await bob.until(lambda: bob.sees(star) and bob.sees(heart), "what was placed meanwhile")
    assert bob.topics[cell].instances == ada.topics[cell].instances

    await ada.remove(star)
    await bob.until(lambda: not bob.sees(star), "the end of the star")

    tell(f"{'':4}  the server is killed (kill -9) and started again on the same data")
    server = restart()
    bob = await Storyteller.connect(server, token=bob.welcome["token"], called="Bob")
    assert bob.welcome["name"] == "Bob"
    await bob.stand_at(*START)
    await bob.view(cell)
    kept = await bob.select(heart)
    assert bits(kept["instance"]["pose"]) == bits(heart["pose"]) and kept["ownReaction"] == "love"
    assert set(bob.topics[cell].instances) == {heart["id"]}


# MARK: - Messages as lines


def said(message):
    """A client's message as a line."""
    kind, body = next((kind, body) for kind, body in message.items() if kind not in ("id", "key"))
    match kind:
        case "hello":
            who = body.get("name") or "with the token of the connection before"
            return f"hello {who}" + (", shares her position" if body.get("sharePosition") else "")
        case "position":
            return f"position {body['lat']:.5f}, {body['lon']:.5f}"
        case "place":
            return f"place {body['object']} {place_of(body['pose'])}, key {message['key'][:6]}"
        case "edit":
            return f"edit {body['instance']} version {body['version']} {place_of(body['pose'])}"
        case "react":
            return f"react {body['instance']} {body['reaction'] or 'withdraw'}"
    return f"{kind} {body.get('instance', '')}"


def heard(item):
    """A server's message as a line; None for messages that the transcript leaves out."""
    kind, body = next(iter(item.items()))
    if kind == "reply":
        kind, body = next((kind, body) for kind, body in body.items() if kind != "id")
        match kind:
            case "welcome":
                return f"welcome {body['name']}, role {body['role']}, token {body['token'][:6]}..."
            case "positioned":
                return f"positioned in cell {body['cell']}"
            case "placed" | "edited":
                instance = body["instance"]
                return f"{kind} {instance['id']} version {instance['version']}"
            case "refusal":
                return f"refused: {body['code']}, {body['message']}"
            case "reactionSet":
                return f"reactionSet {body['instance']} {totals(body)}"
            case "selected":
                instance = body["instance"]
                return (
                    f"selected {instance['id']} by {body.get('placerName') or 'somebody'}, "
                    f"version {instance['version']}, "
                    f"{totals(instance)}, own reaction {body['ownReaction']}"
                )
        return f"{kind} {body.get('instance', '')}"
    if kind == "event":
        change, body = next((change, body) for change, body in body.items() if change not in ("topic", "sequence"))
        about = body["instance"]
        number = f"event {item['event']['sequence']} of {item['event']['topic']}"
        if change == "entered":
            return f"{number}: entered {about['id']} {about['object']} {place_of(about['pose'])}"
        if change == "changed":
            return f"{number}: changed {about} version {body['version']} {place_of(body['pose'])}"
        return f"{number}: {change} {about}" + (f" {totals(body)}" if change == "reacted" else "")
    if kind == "snapshot" and body.get("instances"):
        return f"snapshot of {body['cursor']['topic']}: {', '.join(i['object'] for i in body['instances'])}"
    if kind == "presence" and body.get("joined"):
        return f"presence in {body['cell']}: {', '.join(person['name'] for person in body['joined'])}"
    return None


def place_of(placed):
    position = placed["geopose"]["position"]
    return f"at {position['lat']:.5f}, {position['lon']:.5f}, {position['h']} m"


def main():
    os.environ["CAIRN_TRANSCRIPT"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        servers = [Server.start(folder)]

        def restart():
            servers[-1].kill()
            servers.append(Server.start(folder))
            return servers[-1]

        try:
            asyncio.run(story(servers[0], print, restart))
        finally:
            for server in servers:
                server.kill()


if __name__ == "__main__":
    sys.exit(main())
