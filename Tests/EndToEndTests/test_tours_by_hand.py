"""docs/tours-by-hand.md, line by line: its messages are sent as they stand, and its answers are compared (issue 14,
point 11; ORG-1, ORG-2, TRM-2 to TRM-7, TRT-2 to TRT-4, TRT-9 to TRT-13, PRX-2)."""

import asyncio
import json
import re
import time

import websockets

from cairn import eventually
from documents import blocks
from pictures import fetch
from server import ROOT, run
from test_ledger import verify

DOCUMENT = "docs/tours-by-hand.md"
#: A receiver that jumps has to stand for so long, in place of ten seconds.
SETTINGS = {"tours__settleSeconds": 0.5}
ANSWER = re.compile(r"^→ `([\w.]+)`(?:; its `([\w.]+)` is \*\*(\w+)\*\*)?$")
SECONDS = 30


class Console:
    """A client that sends and prints lines and does nothing else."""

    def __init__(self, socket):
        self.socket, self.items = socket, []

    @classmethod
    async def open(cls, server):
        return cls(await websockets.connect(server.url, subprotocols=["cairn.v1.json"], max_size=None))

    async def type(self, line):
        self.items.clear()
        await self.socket.send(line)

    async def read(self, path, seconds=SECONDS):
        """The value at a path of the next item that has it; None if none comes."""
        end = time.monotonic() + seconds
        while True:
            for item in self.items:
                if (found := at(item, path)) is not None:
                    return found
            try:
                message = await asyncio.wait_for(self.socket.recv(), end - time.monotonic())
            except TimeoutError:
                return None
            for item in json.loads(message)["items"]:
                refusal = at(item, "reply.refusal")
                assert refusal is None, refusal
                self.items.append(item)


def at(value, path):
    for name in path.split("."):
        try:
            value = value[int(name)] if isinstance(value, list) else value[name]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def steps():
    """The steps of the document: (person, "message", line), (person, "answer", (path, path within, word)) and
    (person, "command", line)."""
    text = (ROOT / DOCUMENT).read_text()
    fenced = {block.line: block for block in blocks(DOCUMENT, text)}
    found, person, inside = [], "", False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
            if number in fenced:
                block = fenced[number]
                kind = {"json": "message", "text": "command"}[block.kind]
                found += [(person, kind, one) for one in block.text.splitlines()]
        elif inside:
            continue
        elif line.startswith("## "):
            person = line.removeprefix("## ").split(":")[0]
        elif line.startswith("→"):
            answer = ANSWER.match(line)
            assert answer, f"{DOCUMENT}:{number}: {line}"
            found.append((person, "answer", answer.groups()))
    return found


async def test_the_document_is_true(start):
    server = start(**SETTINGS)
    words, consoles, last, seen = {}, {}, {}, {}

    def put(line):
        for word, value in words.items():
            line = re.sub(rf"\b{word}\b", value, line)
        return line

    for person, kind, step in steps():
        if kind == "message":
            if person not in consoles:
                consoles[person] = await Console.open(server)
            last[person] = put(step)
            await consoles[person].type(last[person])
        elif kind == "answer":
            seen[step[0]] = await answered(consoles[person], last[person], step, words)
        elif step.startswith("cairn admin organisation list"):
            told = json.loads(commanded(server, step))
            (request,) = told["requests"]
            words["REQUEST"] = request["request"]
        elif step.startswith("cairn stats"):

            async def is_seen(server=server, step=step):
                figures = json.loads(commanded(server, step))
                return (figures["toursCompleted"], figures["tourStops"]) == (1, {"2": 1})

            # The server counts anew once a second.
            await eventually(is_seen, step)
        elif step.startswith("cairn admin"):
            commanded(server, put(step))
        elif step.startswith("kill"):
            server.kill()
            server = start(**SETTINGS)
            del consoles[person]
        else:
            assert step.startswith(("cairn serve", "websocat")), step
    assert await page(server, f"/j/{words['CODE']}") == 200
    totals = seen["reply.runSummary"]
    assert totals["completed"] and totals["reached"] == 2 and int(totals["milliseconds"]) > 0
    server.stop()
    assert verify(server.folder).returncode == 0


async def answered(console, line, step, words):
    """Waits for the answer and returns it; a position is typed again until it has come."""
    path, within, word = step
    found = None
    for _ in range(SECONDS):
        found = await console.read(path, 1 if "position" in line else SECONDS)
        if found is not None:
            break
        assert "position" in line, f"no {path} after {line}"
        await console.type(line)
    assert found is not None, f"no {path} after {line}"
    told = at(found, within) if within else None
    if word in ("TOUR", "CODE", "TOKEN"):
        words[word] = told
    elif word:
        assert str(told).lower() == word.lower(), f"{path} has {within} = {told}"
    return found


def commanded(server, line):
    """Runs a command of the document on the test's own world."""
    done = run(*line.replace("--data walk", f"--data {server.folder}").split()[1:])
    assert done.returncode == 0, done
    return done.stdout


async def page(server, path):
    return (await asyncio.to_thread(fetch, server, path))[0]


def test_a_step_that_is_not_understood_is_found():
    assert ANSWER.match("→ `reply.run`; its `state` is **X**").groups() == ("reply.run", "state", "X")
    assert ANSWER.match("→ `nearbyTours`").groups() == ("nearbyTours", None, None)
    assert not ANSWER.match("→ a tour")
    kinds = [kind for _, kind, _ in steps()]
    assert kinds.count("message") == 22 and kinds.count("answer") == 23
