"""Letters that are slow to compare, or that hide the sign beside them, in every text of every message and in every
header (docs/faults.md). Swift brings the marks of a letter into an order whenever it compares, hashes or cuts a text,
in time that grows with their square: one letter of 58 KB takes 1.8 s."""

import http.client
import itertools
import json

import pytest

from cairn import SCHEMA, Client, Refused
from paces import busy_seconds

pytestmark = pytest.mark.alone

#: Marks of two classes by turns, which are out of order as often as can be.
MARKS = "\u0301\u0323"
SLOW = "a" + MARKS * 14_500
PLAIN = "a" * len(SLOW.encode())
#: A message with this letter may take so much longer than one with plain letters.
RATIO_MAX = 2
#: How often a short request is sent, so that what the server does besides is little of what is measured.
ROUNDS = 5
#: Without the tests' own limits of rate.
SETTINGS = {"connections__messagesPerSecond": 10_000, "connections__messagesBurst": 10_000,
            "connections__perAccountMax": 100}  # fmt: skip

TYPES = SCHEMA["messages"]


def texts_in(type_, above=()):
    """Paths of all texts within a type of message."""
    for field in TYPES[type_]["fields"]:
        if field["type"] == "string":
            yield (*above, field)
        elif field["type"] in TYPES:
            yield from texts_in(field["type"], (*above, field))


def bodies():
    """(kind, path) of every text that a client can send."""
    for body in TYPES["ClientMessage"]["fields"]:
        if body["oneof"]:
            yield from ((body["name"], path) for path in texts_in(body["type"]))


def holding(path, text):
    """The body with the text at that place and nothing else."""
    for field in reversed(path):
        text = {field["name"]: [text] if field["label"] == "repeated" else text}
    return text


async def connect(server, name="", **more):
    """A client whose letters go out as UTF-8; three times as many of them fit into a message as of escapes."""
    client = await Client.connect(server, name, **more)
    client.send = lambda message: client.socket.send(json.dumps(message, ensure_ascii=False))
    return client


async def spent_on(server, client, text):
    """Seconds of a processor that the server takes for the text in every field, and the refusals."""
    before, refusals = busy_seconds(server), {}
    for kind, path in bodies():
        if kind == "hello":
            continue  # a connection says it once
        name = ".".join(field["name"] for field in path)
        try:
            refusals[kind, name] = await client.ask(kind, holding(path, text))
        except Refused as refused:
            refusals[kind, name] = refused
    return busy_seconds(server) - before, refusals


async def test_in_every_text_of_every_message_it_is_refused_and_costs_no_more_than_plain_letters(server):
    mallory, paul = [await connect(server, name) for name in ("mallory", "paul")]
    plain, _ = await spent_on(server, paul, PLAIN)
    slow, refusals = await spent_on(server, mallory, SLOW)
    for (kind, name), refused in refusals.items():
        assert isinstance(refused, Refused), (kind, name, refused)
        assert (refused.code, refused.details.get("field")) == ("invalid_field", name), kind
    assert len(refusals) > 200
    print(f"{len(refusals)} texts: {slow:.2f} s of a processor, with plain letters {plain:.2f}")
    assert slow < RATIO_MAX * plain


async def test_a_guests_first_message_is_refused_at_once(server):

    async def refused(text):
        """Seconds of a processor for hellos with the text in each of their fields."""
        before = busy_seconds(server)
        for path in [*texts_in("Hello")] * ROUNDS:
            guest = await connect(server, hello=False)
            with pytest.raises(Refused) as refused:
                await guest.ask("hello", {"version": 1, "frontEnd": "bot", **holding(path, text)})
            assert refused.value.code == "invalid_field"
            await guest.close()
        return busy_seconds(server) - before

    # What comes for the first time is in no memory yet.
    await refused(PLAIN)
    plain, hostile = await refused(PLAIN), await refused(SLOW)
    print(f"hello: {hostile:.3f} s of a processor, with plain letters {plain:.3f}")
    assert hostile < RATIO_MAX * plain


#: Headers that the server reads.
HEADERS = (
    "Accept-Encoding", "Accept-Language", "Authorization", "Cookie", "Forwarded", "Host", "If-None-Match", "If-Range",
    "Origin", "Range", "Sec-WebSocket-Protocol", "X-Forwarded-For",
)  # fmt: skip
PATHS = ("/readyz", "/metrics", "/help", "/console", "/play", "/j/ABCDEF", "/v1", "/assets/x")


def headed(server, header, value):
    """The statuses of one request for each path with this header. Each answer is read to its
    end: of those that are under way, the server has so many and no more."""
    statuses = []
    for path in PATHS:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.putrequest("GET", path, skip_host=header == "Host", skip_accept_encoding=True)
        connection.putheader(header, value)
        connection.endheaders()
        answer = connection.getresponse()
        answer.read()
        statuses.append(answer.status)
        connection.close()
    return statuses


def test_in_every_header_it_costs_no_more_than_plain_letters(server):
    slow = ("a" + MARKS * 1_700).encode()
    plain = b"a" * len(slow)
    spent = {plain: [], slow: []}
    for _, value in itertools.product(range(3), spent):
        before = busy_seconds(server)
        for header in HEADERS * ROUNDS:
            statuses = headed(server, header, value)
            assert all(status < 500 for status in statuses), (header, dict(zip(PATHS, statuses)))
        spent[value].append(busy_seconds(server) - before)
    most, least = min(spent[slow]), min(spent[plain])
    print(f"headers: {most:.2f} s of a processor, with plain letters {least:.2f}")
    assert most < RATIO_MAX * least
