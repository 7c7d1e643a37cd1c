"""Frame and handshake rules of RFC 6455, byte by byte, against a WebSocket echo path.

    pytest Tests/EndToEndTests/rfc6455_frames.py --url ws://127.0.0.1:8080/echo

The path must echo every message and need no subprotocol; messages of 65,536 bytes must be allowed. Only the Python
standard library is used, so that no other WebSocket implementation changes the bytes.

Every case has a name and an outcome, which is the one that RFC 6455 (and the IANA registry of close codes) requires. If
libwebsockets 4.1.6 deviates and no callback can correct it, KNOWN_LIBRARY_DEVIATIONS has its behaviour. Both are
asserted exactly: a deviation that no longer occurs fails the test until it is removed from the list.

Outcomes:
    "echo ..."      the messages that came back
    "close 1002"    the server sent CLOSE with this code ("close empty": without one) and then closed TCP
    "drop"          the server closed TCP without a CLOSE
    "open"          nothing came back, and the connection still echoes
    "pong ..."      the payloads of the pongs that came back
    "HTTP 400"      status of a refused handshake; "no answer" when TCP was closed without one
"""

import base64
import hashlib
import select
import socket
import ssl
import struct
import time
import urllib.parse

import pytest

# name of the case -> (what libwebsockets 4.1.6-3 does, why)
KNOWN_LIBRARY_DEVIATIONS = {
    "unmasked text": ("echo 'unmasked'", "L9: frames without a mask are accepted; no callback sees the mask bit"),
    "unmasked ping": ("pong b'x'", "L9"),
    "unmasked close": ("close 1000", "L9"),
    "three pings at once": ("pong b'1'", "L10: while a pong is owed, pings are dropped; 5.5.3 wants the newest"),
    "ping of 126 bytes": ("drop", "L28: closes TCP without a close frame"),
    "pong of 126 bytes": ("drop", "L28"),
    "close of 126 bytes": ("drop", "L28"),
    "ping of 65,536 bytes": ("drop", "L28"),
    "length with top bit set": ("drop", "L28"),
    "close reason with invalid UTF-8": ("drop", "L28"),
    "5 bytes announced in 16 bits": ("echo 'hello'", "L29: lengths longer than needed are accepted"),
    "5 bytes announced in 64 bits": ("echo 'hello'", "L29"),
    "300 bytes announced in 64 bits": ("echo 300 characters", "L29"),
    "close code 1012": ("close 1002", "L27: codes registered after 2011 are answered like forbidden ones"),
    "close code 1013": ("close 1002", "L27"),
    "close code 1014": ("close 1002", "L27"),
    "binary pong after a text": ("close 1007", "L30: pong payloads are checked as if they were part of the text"),
    "pong inside a split character": ("close 1007", "L30"),
}

TEXT, BINARY, CONTINUATION, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
PATIENCE = 60.0  # seconds after which a silent server fails the test
KEY = "dGhlIHNhbXBsZSBub25jZQ=="
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def outcome_of(name, by_the_book):
    """The expected outcome: the standard's, or the library's known deviation."""
    if name not in KNOWN_LIBRARY_DEVIATIONS:
        return by_the_book
    deviation = KNOWN_LIBRARY_DEVIATIONS[name][0]
    assert deviation != by_the_book, f"{name}: this is what RFC 6455 wants, it is no deviation"
    return deviation


# MARK: - Bytes


def frame(opcode, payload=b"", fin=True, rsv=0, mask=b"\x12\x34\x56\x78", announce=None, length_bits=None):
    """A client's frame. mask=None: unmasked. announce: a length other than the payload's."""
    length = len(payload) if announce is None else announce
    first = (0x80 if fin else 0) | (rsv << 4) | opcode
    masked = 0 if mask is None else 0x80
    if length_bits == 64 or (length_bits is None and length > 0xFFFF):
        head = struct.pack("!BBQ", first, masked | 127, length)
    elif length_bits == 16 or (length_bits is None and length > 125):
        head = struct.pack("!BBH", first, masked | 126, length)
    else:
        head = struct.pack("!BB", first, masked | length)
    if mask is None:
        return head + payload
    return head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))


def close_payload(code, reason=b""):
    return struct.pack("!H", code) + reason


class Connection:
    def __init__(self, url):
        self.url = urllib.parse.urlsplit(url)
        assert self.url.scheme in ("ws", "wss"), f"--url must begin with ws:// or wss://, got {url}"
        port = self.url.port or (443 if self.url.scheme == "wss" else 80)
        self.socket = socket.create_connection((self.url.hostname, port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.url.scheme == "wss":
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            self.socket = context.wrap_socket(self.socket, server_hostname=self.url.hostname)
        self.buffer = b""
        self.ended = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def request(self, *, method="GET", http="HTTP/1.1", headers=None, without=(), extra=()):
        """An upgrade request, correct in every point that the arguments do not change."""
        fields = {
            "Host": self.url.netloc,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": KEY,
            "Sec-WebSocket-Version": "13",
        }
        fields.update(headers or {})
        path = self.url.path or "/"
        if self.url.query:
            path += "?" + self.url.query
        lines = [f"{method} {path} {http}"]
        lines += [f"{name}: {value}" for name, value in fields.items() if name not in without]
        lines += list(extra)
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def send(self, data):
        """Sends as much as the server accepts; a closed connection shows when reading."""
        try:
            self.socket.sendall(data)
            return True
        except OSError:
            return False

    def more(self):
        if self.ended:
            return False
        try:
            data = self.socket.recv(65536)
        except TimeoutError:
            raise AssertionError(f"the server neither answered nor closed within {PATIENCE} s")
        except OSError:  # a reset is an end too
            data = b""
        self.ended = data == b""
        self.buffer += data
        return not self.ended

    def response(self):
        """(status, headers) of an HTTP response, or None when the server closed without one."""
        while b"\r\n\r\n" not in self.buffer:
            if not self.more():
                return None
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        headers = [line.split(":", 1) for line in lines[1:]]
        return int(lines[0].split()[1]), {name.strip().lower(): value.strip() for name, value in headers}

    def open(self):
        self.send(self.request())
        answer = self.response()
        assert answer is not None and answer[0] == 101, f"no WebSocket on {self.url.geturl()}: {answer}"
        return self

    def need(self, count):
        while len(self.buffer) < count:
            if not self.more():
                return False
        return True

    def read_frame(self):
        """(opcode, payload) of a server's frame, or None at the end. Fails for frames that a server must never send."""
        if not self.need(2):
            return None
        first, second = self.buffer[0], self.buffer[1]
        assert first & 0x70 == 0, "the server set a reserved bit"
        assert second & 0x80 == 0, "the server masked a frame"
        size, at = second & 0x7F, 2
        if size == 126:
            assert self.need(4)
            size, at = struct.unpack("!H", self.buffer[2:4])[0], 4
            assert size > 125, "the server announced a short length in 16 bits"
        elif size == 127:
            assert self.need(10)
            size, at = struct.unpack("!Q", self.buffer[2:10])[0], 10
            assert size > 0xFFFF, "the server announced a short length in 64 bits"
        assert self.need(at + size), "the server closed inside a frame"
        payload = self.buffer[at : at + size]
        self.buffer = self.buffer[at + size :]
        opcode = first & 0xF
        if opcode & 8:
            assert first & 0x80 and size <= 125, "the server sent a fragmented or long control frame"
        assert first & 0x80, "this test expects messages of one frame from the server"
        return opcode, payload

    def ends(self):
        """The server closes TCP and sends nothing before that."""
        extra = self.read_frame()
        assert extra is None, f"the server sent {extra} after its CLOSE"

    def outcome(self, expected):
        """The server's actions, until it is as quiet as `expected` allows."""
        echoes, pongs = [], []
        if expected == "open":
            self.send(frame(TEXT, b"still there?"))
        wanted = expected.count("'") // 2 if expected.startswith(("echo '", "pong b'")) else 1
        while True:
            got = self.read_frame()
            if got is None:
                return "drop"
            opcode, payload = got
            if opcode == CLOSE:
                self.ends()
                if not payload:
                    return "close empty"
                payload[2:].decode()  # the reason must be UTF-8
                return f"close {struct.unpack('!H', payload[:2])[0]}"
            if opcode == PONG:
                pongs.append(repr(payload))
                if expected.startswith("pong") and len(pongs) >= wanted:
                    return "pong " + " ".join(pongs) + self.tail()
                continue
            if opcode == TEXT and payload == b"still there?":
                return "open"
            echoes.append(describe(opcode, payload))
            if not expected.startswith("echo") or len(echoes) >= wanted:
                return "echo " + " ".join(echoes)

    def tail(self):
        """Pongs that arrive late: the connection must echo before or after them, and nothing else may arrive."""
        self.send(frame(TEXT, b"still there?"))
        late = ""
        while True:
            got = self.read_frame()
            if got is None or got == (TEXT, b"still there?"):
                return late
            late += f" {got[1]!r}"


def describe(opcode, payload):
    if opcode == TEXT:
        text = payload.decode()
        return repr(text) if len(text) < 40 else f"{len(text)} characters"
    return f"'{payload.hex()}'" if len(payload) < 40 else f"{len(payload)} bytes"


def check(url, name, data, by_the_book, pace=None):
    """Opens a WebSocket, sends `data` (whole, or in pieces of `pace` bytes) and asserts the outcome."""
    expected = outcome_of(name, by_the_book)
    with Connection(url).open() as connection:
        if pace is None:
            connection.send(data)
        else:
            for i in range(0, len(data), pace):
                if not connection.send(data[i : i + pace]):
                    break
                time.sleep(0.001)
        assert connection.outcome(expected) == expected, name


# MARK: - Handshake (section 4.2)


def handshake(url, name, by_the_book, before=None, body=b"", **changes):
    expected = outcome_of(name, by_the_book)
    with Connection(url) as connection:
        if before is not None:
            connection.send(before)
            answer = connection.response()
            assert answer is not None, "the request before the handshake was not answered"
            length = int(answer[1].get("content-length", "0"))
            assert connection.need(length)
            connection.buffer = connection.buffer[length:]
        connection.send(connection.request(**changes) + body)
        answer = connection.response()
        assert (f"HTTP {answer[0]}" if answer else "no answer") == expected, name
        return answer


def test_handshake_answersTheKey(url):
    headers = handshake(url, "handshake", "HTTP 101")[1]
    accept = base64.b64encode(hashlib.sha1((KEY + GUID).encode()).digest()).decode()
    assert headers["sec-websocket-accept"] == accept
    assert headers["upgrade"].lower() == "websocket"
    assert "upgrade" in headers["connection"].lower()
    assert "sec-websocket-protocol" not in headers


GOOD_HANDSHAKES = {
    "Upgrade in capitals": dict(headers={"Upgrade": "WebSocket"}),
    "Connection as Firefox sends it": dict(headers={"Connection": "keep-alive, Upgrade"}),
    "Connection in capitals": dict(headers={"Connection": "UPGRADE"}),
    "extension offered": dict(extra=["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"]),
    "unknown header": dict(extra=["X-Nobody-Knows: this"]),
}


@pytest.mark.parametrize("name", GOOD_HANDSHAKES)
def test_handshake_thatIsRight_isAccepted(url, name):
    headers = handshake(url, name, "HTTP 101", **GOOD_HANDSHAKES[name])[1]
    assert "sec-websocket-extensions" not in headers, "no extension is offered on this library version (L2)"


BAD_HANDSHAKES = {
    "no version": ("HTTP 426", dict(without=["Sec-WebSocket-Version"])),
    "version 8": ("HTTP 426", dict(headers={"Sec-WebSocket-Version": "8"})),
    "version 12": ("HTTP 426", dict(headers={"Sec-WebSocket-Version": "12"})),
    "version 14": ("HTTP 426", dict(headers={"Sec-WebSocket-Version": "14"})),
    "version 13x": ("HTTP 426", dict(headers={"Sec-WebSocket-Version": "13x"})),
    "two versions": ("HTTP 426", dict(extra=["Sec-WebSocket-Version: 13"])),
    "no key": ("HTTP 400", dict(without=["Sec-WebSocket-Key"])),
    "key of 15 bytes": ("HTTP 400", dict(headers={"Sec-WebSocket-Key": base64.b64encode(b"x" * 15).decode()})),
    "key of 17 bytes": ("HTTP 400", dict(headers={"Sec-WebSocket-Key": base64.b64encode(b"x" * 17).decode()})),
    "24 characters that are not base64": ("HTTP 400", dict(headers={"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub2$jZQ=="})),
    "key of 16 characters": ("HTTP 400", dict(headers={"Sec-WebSocket-Key": "0123456789abcdef"})),
    "two keys": ("HTTP 400", dict(extra=["Sec-WebSocket-Key: " + KEY])),
    "two different keys": ("HTTP 400", dict(extra=["Sec-WebSocket-Key: " + base64.b64encode(b"y" * 16).decode()])),
    "POST": ("HTTP 400", dict(method="POST")),
    "HEAD": ("HTTP 400", dict(method="HEAD")),
    "HTTP/1.0": ("HTTP 400", dict(http="HTTP/1.0")),
    "no Host": ("HTTP 400", dict(without=["Host"])),
    "two Hosts": ("HTTP 400", dict(extra=["Host: elsewhere.example"])),
    "Connection without Upgrade": ("HTTP 400", dict(headers={"Connection": "keep-alive"})),
    "Connection: u": ("HTTP 400", dict(headers={"Connection": "u"})),
    "no Connection": ("HTTP 400", dict(without=["Connection"])),
    "Upgrade: x": ("HTTP 403", dict(headers={"Upgrade": "x"})),
    "body announced": ("HTTP 400", dict(headers={"Content-Length": "5"}, body=b"hello")),
    "body of unknown length": ("HTTP 400", dict(headers={"Transfer-Encoding": "chunked"}, body=b"0\r\n\r\n")),
    "negative length": ("HTTP 400", dict(headers={"Content-Length": "-1"})),
    "overflowing length": ("HTTP 400", dict(headers={"Content-Length": "99999999999999999999"})),
    "unknown subprotocol": ("HTTP 400", dict(headers={"Sec-WebSocket-Protocol": "nobody.v9"})),
}


@pytest.mark.parametrize("name", BAD_HANDSHAKES)
def test_handshake_thatIsWrong_isRefused(url, name):
    by_the_book, changes = BAD_HANDSHAKES[name]
    answer = handshake(url, name, by_the_book, **changes)
    if by_the_book == "HTTP 426":
        assert answer[1]["sec-websocket-version"] == "13"  # section 4.2.2


def test_unknownUpgrade_afterAnotherRequest_isRefused(url):
    """L1, CVE-2025-11677: this order made libwebsockets read freed memory."""
    host = urllib.parse.urlsplit(url).netloc
    before = f"GET /livez HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    handshake(url, "Upgrade: x, second request", "HTTP 403", before=before, headers={"Upgrade": "x"})


def test_handshake_afterAnotherRequest_isAccepted(url):
    host = urllib.parse.urlsplit(url).netloc
    before = f"GET /livez HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    handshake(url, "second request", "HTTP 101", before=before)


def test_handshake_inSmallPieces_isAccepted(url):
    with Connection(url) as connection:
        data = connection.request()
        for i in range(0, len(data), 7):
            connection.send(data[i : i + 7])
            time.sleep(0.002)
        assert connection.response()[0] == 101


def test_frameInTheSameSegmentAsTheHandshake_isEchoed(url):
    with Connection(url) as connection:
        connection.send(connection.request() + frame(TEXT, b"early") + frame(TEXT, b"bird"))
        assert connection.response()[0] == 101
        assert connection.outcome("echo 'early' 'bird'") == "echo 'early' 'bird'"


# MARK: - Messages and fragments (sections 5.2, 5.4)


@pytest.mark.parametrize("size", [0, 1, 2, 124, 125, 126, 127, 128, 1023, 1024, 1025, 5000, 65535, 65536])
@pytest.mark.parametrize("opcode", [TEXT, BINARY])
def test_message_ofAnyLength_isEchoed(url, opcode, size):
    payload = bytes(0x20 + i % 90 for i in range(size))
    with Connection(url).open() as connection:
        connection.send(frame(opcode, payload))
        assert connection.read_frame() == (opcode, payload)


@pytest.mark.parametrize("pace", [1, 2, 3, 5])
def test_message_inSmallSegments_isEchoed(url, pace):
    text = "kurz, κόσμε, 𝄞 und lang: " + "x" * 300
    check(url, "small segments", frame(TEXT, text.encode()) + frame(PING, b"p") + frame(TEXT, b"next"),
          f"echo {len(text)} characters", pace=pace)


def test_mask_ofZeros_isAMask(url):
    check(url, "zero mask", frame(TEXT, b"hello", mask=b"\0\0\0\0"), "echo 'hello'")


def test_manyMessagesInOneSegment_areEchoedInOrder(url):
    messages = [f"number {i}" for i in range(50)]
    check(url, "many at once", b"".join(frame(TEXT, m.encode()) for m in messages),
          "echo " + " ".join(repr(m) for m in messages))


FRAGMENTS = {
    "two": [b"he", b"llo"],
    "three": [b"h", b"el", b"lo"],
    "one per byte": [bytes([b]) for b in b"hello"],
    "empty first": [b"", b"hello"],
    "empty last": [b"hello", b""],
    "empty between": [b"he", b"", b"", b"llo"],
}


def fragments(opcode, parts):
    frames = [frame(opcode if i == 0 else CONTINUATION, part, fin=i == len(parts) - 1) for i, part in enumerate(parts)]
    return frames


@pytest.mark.parametrize("name", FRAGMENTS)
@pytest.mark.parametrize("pace", [None, 1])
def test_fragments_arePutTogether(url, name, pace):
    check(url, f"fragments: {name}", b"".join(fragments(TEXT, FRAGMENTS[name])), "echo 'hello'", pace=pace)


def test_fragments_allEmpty_areAnEmptyMessage(url):
    check(url, "fragments: all empty", b"".join(fragments(BINARY, [b"", b"", b""])) + frame(TEXT, b"x"), "echo '' 'x'")


def test_fragments_longerThanTheReceiveBuffer_arePutTogether(url):
    parts = [bytes([65 + i]) * 3000 for i in range(20)]
    with Connection(url).open() as connection:
        for data in fragments(BINARY, parts):
            connection.send(data)
        assert connection.read_frame() == (BINARY, b"".join(parts))


def test_fragments_upToTheLimit_areAllowed(url):
    parts = [b"x"] * 1000
    with Connection(url).open() as connection:
        connection.send(b"".join(fragments(TEXT, parts)))
        assert connection.read_frame() == (TEXT, b"x" * 1000)


BAD_FRAGMENTS = {
    "continuation of nothing": frame(CONTINUATION, b"x"),
    "continuation of nothing, not final": frame(CONTINUATION, b"x", fin=False),
    "continuation after a whole message": frame(TEXT, b"x") + frame(CONTINUATION, b"y"),
    "text inside a message": frame(TEXT, b"a", fin=False) + frame(TEXT, b"b"),
    "binary inside a message": frame(TEXT, b"a", fin=False) + frame(BINARY, b"b"),
    "text that is not final inside a message": frame(BINARY, b"a", fin=False) + frame(TEXT, b"b", fin=False),
}


@pytest.mark.parametrize("name", BAD_FRAGMENTS)
def test_fragments_outOfOrder_areRefused(url, name):
    data = BAD_FRAGMENTS[name]
    expected = outcome_of(name, "close 1002")
    with Connection(url).open() as connection:
        connection.send(data)
        if name == "continuation after a whole message":
            assert connection.read_frame() == (TEXT, b"x")
        assert connection.outcome(expected) == expected


# MARK: - Control frames (section 5.5)

CONTROLS = {
    "ping": (frame(PING), "pong b''"),
    "ping with text": (frame(PING, b"hello"), "pong b'hello'"),
    "ping of 125 bytes": (frame(PING, b"\xfe" * 125), "pong " + repr(b"\xfe" * 125)),
    "three pings at once": (frame(PING, b"1") + frame(PING, b"2") + frame(PING, b"3"), "pong b'3'"),
    "pong nobody asked for": (frame(PONG, b"hello"), "open"),
    "empty pong": (frame(PONG), "open"),
    "binary pong": (frame(PONG, b"\xff\xfe"), "open"),
    "pong, then ping": (frame(PONG, b"a") + frame(PING, b"b"), "pong b'b'"),
    "binary pong after a text": (frame(TEXT, b"still there?") + frame(PONG, b"\xff"), "open"),
    "ping between fragments": (
        frame(TEXT, b"a", fin=False) + frame(PING, b"p") + frame(CONTINUATION, b"b"), "pong b'p' b''"),
    "ping not final": (frame(PING, b"x", fin=False), "close 1002"),
    "pong not final": (frame(PONG, b"x", fin=False), "close 1002"),
    "close not final": (frame(CLOSE, close_payload(1000), fin=False), "close 1002"),
    "ping not final between fragments": (frame(TEXT, b"a", fin=False) + frame(PING, b"x", fin=False), "close 1002"),
    "ping of 126 bytes": (frame(PING, b"x" * 126), "close 1002"),
    "pong of 126 bytes": (frame(PONG, b"x" * 126), "close 1002"),
    "close of 126 bytes": (frame(CLOSE, close_payload(1000, b"x" * 124)), "close 1002"),
    "ping of 65,536 bytes": (frame(PING, b"x" * 65536), "close 1002"),
}


@pytest.mark.parametrize("name", CONTROLS)
def test_controlFrames(url, name):
    data, by_the_book = CONTROLS[name]
    if name == "ping between fragments":
        with Connection(url).open() as connection:
            connection.send(data)
            got = [connection.read_frame(), connection.read_frame()]
            assert sorted(got) == sorted([(PONG, b"p"), (TEXT, b"ab")])
        return
    if name == "binary pong after a text":
        expected = outcome_of(name, by_the_book)
        with Connection(url).open() as connection:
            connection.send(frame(TEXT, b"first"))
            assert connection.read_frame() == (TEXT, b"first")
            connection.send(frame(PONG, b"\xff"))
            assert connection.outcome(expected) == expected
        return
    check(url, name, data, by_the_book)


def test_pings_oneAfterAnother_areAllAnswered(url):
    with Connection(url).open() as connection:
        for i in range(20):
            connection.send(frame(PING, b"%d" % i))
            assert connection.read_frame() == (PONG, b"%d" % i)


def test_pong_betweenFragments_doesNotDisturb(url):
    with Connection(url).open() as connection:
        connection.send(frame(TEXT, b"a", fin=False) + frame(PONG, b"nobody asked") + frame(CONTINUATION, b"b"))
        assert connection.read_frame() == (TEXT, b"ab")


def test_pong_insideASplitCharacter(url):
    name = "pong inside a split character"
    expected = outcome_of(name, "echo 'κ'")
    with Connection(url).open() as connection:
        kappa = "κ".encode()
        connection.send(frame(TEXT, kappa[:1], fin=False) + frame(PONG, b"c") + frame(CONTINUATION, kappa[1:]))
        assert connection.outcome(expected) == expected


# MARK: - Reserved bits and opcodes (section 5.2)


@pytest.mark.parametrize("rsv", [1, 2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("opcode", [TEXT, BINARY, PING, CLOSE])
def test_reservedBits_areRefused(url, opcode, rsv):
    payload = close_payload(1000) if opcode == CLOSE else b"hello"
    check(url, f"rsv {rsv} on opcode {opcode}", frame(opcode, payload, rsv=rsv), "close 1002")


@pytest.mark.parametrize("opcode", [3, 4, 5, 6, 7, 11, 12, 13, 14, 15])
@pytest.mark.parametrize("payload", [b"", b"hello"])
def test_reservedOpcodes_areRefused(url, opcode, payload):
    check(url, f"opcode {opcode}", frame(opcode, payload), "close 1002")


@pytest.mark.parametrize("opcode", [3, 11])
def test_reservedOpcodes_betweenFragments_areRefused(url, opcode):
    check(url, f"opcode {opcode} between", frame(TEXT, b"a", fin=False) + frame(opcode, b"x"), "close 1002")


# MARK: - Lengths and masks (sections 5.2, 5.3, 10.4)

LENGTHS = {
    "5 bytes announced in 16 bits": (frame(TEXT, b"hello", length_bits=16), "close 1002"),
    "5 bytes announced in 64 bits": (frame(TEXT, b"hello", length_bits=64), "close 1002"),
    "300 bytes announced in 64 bits": (frame(TEXT, b"x" * 300, length_bits=64), "close 1002"),
    "length with top bit set": (frame(BINARY, b"x", announce=1 << 63, length_bits=64), "close 1002"),
    "2^62 bytes announced": (frame(BINARY, b"x" * 100, announce=1 << 62), "close 1009"),
    "2^32 bytes announced": (frame(BINARY, b"x" * 100, announce=1 << 32), "close 1009"),
    "2^62 bytes announced in a continuation": (
        frame(BINARY, b"x", fin=False) + frame(CONTINUATION, b"y", announce=1 << 62), "close 1009"),
    "unmasked text": (frame(TEXT, b"unmasked", mask=None), "close 1002"),
    "unmasked ping": (frame(PING, b"x", mask=None), "close 1002"),
    "unmasked close": (frame(CLOSE, close_payload(1000), mask=None), "close 1002"),
}


@pytest.mark.parametrize("name", LENGTHS)
def test_lengthsAndMasks(url, name):
    check(url, name, *LENGTHS[name])


def flood(url, piece, expected, seconds=PATIENCE):
    """Sends `piece` repeatedly until the server closes."""
    with Connection(url).open() as connection:
        connection.send(frame(BINARY, b"", fin=False))
        until = time.monotonic() + seconds
        sent = 0
        while time.monotonic() < until and connection.send(piece):
            sent += len(piece)
        assert time.monotonic() < until, f"after {sent} bytes the server still takes more"
        assert connection.outcome(expected) == expected


def test_emptyFragments_withoutEnd_areRefused(url):
    """L21: libwebsockets alone accepts a million of them."""
    flood(url, frame(CONTINUATION, b"", fin=False) * 500, "close 1008")


def test_emptyFragments_withPingsBetween_areRefused(url):
    flood(url, (frame(CONTINUATION, b"", fin=False) * 100 + frame(PONG, b"")) * 5, "close 1008")


def test_fragments_withoutEnd_areRefused(url):
    flood(url, frame(CONTINUATION, b"x" * 60000, fin=False), "close 1009")


def test_hugeMessage_isRefusedBeforeItHasBeenSent(url):
    """It ends after a hundredth of it at most, and waits for no more."""
    with Connection(url).open() as connection:
        connection.send(frame(BINARY, b"", announce=1 << 30))
        for _ in range(160):
            if not connection.send(b"x" * 65536):
                break
        assert connection.outcome("close 1009") == "close 1009"


# MARK: - UTF-8 (section 8.1)

VALID_TEXTS = [
    "κόσμε", "Hello-µ@ßöäüàá-UTF-8!!", "\u0000", "\u007f", "\u0080", "\u07ff", "\u0800",
    "\ud7ff", "\ue000", "\ufffd", "\ufffe",
    "\uffff", "\U00010000", "\U0010fffd", "\U0010ffff", "𝄞",
]

INVALID_TEXTS = {
    "lone continuation byte": b"\x80",
    "lone continuation byte at the end": b"hello\xbf",
    "first byte only, 2": b"\xc3",
    "first byte only, 3": b"\xe2",
    "first bytes only, 3": b"\xe2\x82",
    "first byte only, 4": b"\xf0",
    "first bytes only, 4": b"\xf0\x9d\x84",
    "first byte, then ASCII": b"\xc3a",
    "overlong slash in 2": b"\xc0\xaf",
    "overlong slash in 3": b"\xe0\x80\xaf",
    "overlong slash in 4": b"\xf0\x80\x80\xaf",
    "overlong NUL": b"\xc0\x80",
    "largest overlong in 2": b"\xc1\xbf",
    "largest overlong in 3": b"\xe0\x9f\xbf",
    "largest overlong in 4": b"\xf0\x8f\xbf\xbf",
    "surrogate D800": b"\xed\xa0\x80",
    "surrogate DFFF": b"\xed\xbf\xbf",
    "surrogate pair": b"\xed\xa0\x80\xed\xb0\x80",
    "beyond 10FFFF": b"\xf4\x90\x80\x80",
    "five bytes": b"\xf8\x88\x80\x80\x80",
    "six bytes": b"\xfc\x84\x80\x80\x80\x80",
    "FE": b"\xfe",
    "FF": b"\xff",
}


@pytest.mark.parametrize("text", VALID_TEXTS)
def test_validText_isEchoed(url, text):
    with Connection(url).open() as connection:
        connection.send(frame(TEXT, text.encode()))
        assert connection.read_frame() == (TEXT, text.encode())


@pytest.mark.parametrize("name", INVALID_TEXTS)
def test_invalidText_isRefused(url, name):
    check(url, f"text: {name}", frame(TEXT, INVALID_TEXTS[name]), "close 1007")


@pytest.mark.parametrize("name", INVALID_TEXTS)
def test_invalidText_inAContinuation_isRefused(url, name):
    data = frame(TEXT, "κόσμε ".encode(), fin=False) + frame(CONTINUATION, INVALID_TEXTS[name])
    check(url, f"continued text: {name}", data, "close 1007")


@pytest.mark.parametrize("at", range(len("κόσμε 𝄞!".encode())))
def test_invalidByte_atEachPosition_isRefused(url, at):
    payload = bytearray("κόσμε 𝄞!".encode())
    payload[at] = 0xFF
    check(url, f"FF at {at}", frame(TEXT, bytes(payload)), "close 1007")


@pytest.mark.parametrize("at", range(1, len("κόσμε 𝄞!".encode())))
def test_character_splitOverFragments_isEchoed(url, at):
    payload = "κόσμε 𝄞!".encode()
    data = frame(TEXT, payload[:at], fin=False) + frame(CONTINUATION, payload[at:])
    check(url, f"split at {at}", data, "echo 'κόσμε 𝄞!'")


def test_everyByte_inItsOwnFragment_isEchoed(url):
    payload = "κόσμε 𝄞!".encode()
    check(url, "byte by byte", b"".join(fragments(TEXT, [bytes([b]) for b in payload])), "echo 'κόσμε 𝄞!'", pace=1)


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_cutOffCharacter_beforeAnEmptyLastFragment_isRefused(url, cut):
    """L26: libwebsockets does not check when the last frame is empty."""
    payload = b"x" + "𝄞".encode()[:cut]
    check(url, f"cut off after {cut}", frame(TEXT, payload, fin=False) + frame(CONTINUATION, b""), "close 1007")


def test_cutOffCharacter_atTheReceiveBuffersEdge_isEchoed(url):
    for padding in range(1018, 1028):
        text = "x" * padding + "𝄞κ" + "y" * 1100
        with Connection(url).open() as connection:
            connection.send(frame(TEXT, text.encode()))
            assert connection.read_frame() == (TEXT, text.encode())


def test_binary_needNotBeText(url):
    with Connection(url).open() as connection:
        connection.send(frame(TEXT, b"first") + frame(BINARY, bytes(range(256))))
        assert connection.read_frame() == (TEXT, b"first")
        assert connection.read_frame() == (BINARY, bytes(range(256)))


def test_textAfterBinary_isCheckedAgain(url):
    check(url, "binary, then bad text", frame(BINARY, b"\xff", fin=False) + frame(CONTINUATION, b"\xfe", fin=False)
          + frame(CONTINUATION, b"\xfd") + frame(TEXT, b"\xff"), "echo 'fffefd'")
    with Connection(url).open() as connection:
        connection.send(frame(BINARY, b"\xff") + frame(TEXT, b"\xff"))
        assert connection.read_frame() == (BINARY, b"\xff")
        assert connection.outcome("close 1007") == "close 1007"


# MARK: - Closing (sections 5.5.1, 7)


SENDABLE = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999]


@pytest.mark.parametrize("code", SENDABLE)
def test_closeCode_thatMayBeSent_isSentBack(url, code):
    check(url, f"close code {code}", frame(CLOSE, close_payload(code)), f"close {code}")


@pytest.mark.parametrize("code", [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535])
def test_closeCode_thatMustNotBeSent_isRefused(url, code):
    check(url, f"close code {code}", frame(CLOSE, close_payload(code)), "close 1002")


CLOSES = {
    "close without a code": (frame(CLOSE), "close empty"),
    "close with half a code": (frame(CLOSE, b"\x03"), "close 1002"),
    "close with a reason": (frame(CLOSE, close_payload(1000, b"going away")), "close 1000"),
    "close with a reason of 123 bytes": (frame(CLOSE, close_payload(1000, b"x" * 123)), "close 1000"),
    "close with a reason in Greek": (frame(CLOSE, close_payload(1000, "κόσμε".encode())), "close 1000"),
    "close reason with invalid UTF-8": (frame(CLOSE, close_payload(1000, b"\xce\xba\xff")), "close 1007"),
    "close reason cut off": (frame(CLOSE, close_payload(1000, b"\xce\xba\xe1\xbd")), "close 1007"),
    "close inside a message": (frame(TEXT, b"a", fin=False) + frame(CLOSE, close_payload(1000)), "close 1000"),
    "close inside a split character": (
        frame(TEXT, b"\xce", fin=False) + frame(CLOSE, close_payload(1000, b"ok")), "close 1000"),
    "message after close": (frame(CLOSE, close_payload(1000)) + frame(TEXT, b"late"), "close 1000"),
    "ping after close": (frame(CLOSE, close_payload(1000)) + frame(PING, b"late"), "close 1000"),
    "two closes": (frame(CLOSE, close_payload(1000)) + frame(CLOSE, close_payload(1001)), "close 1000"),
}


@pytest.mark.parametrize("name", CLOSES)
@pytest.mark.parametrize("pace", [None, 1])
def test_close(url, name, pace):
    check(url, name, *CLOSES[name], pace=pace)


def test_messageBeforeClose_isEchoedFirst(url):
    with Connection(url).open() as connection:
        connection.send(frame(TEXT, b"last words") + frame(CLOSE, close_payload(1001)))
        assert connection.read_frame() == (TEXT, b"last words")
        assert connection.outcome("close 1001") == "close 1001"


def test_server_closesTcpFirst_andSoon(url):
    """Its TCP connection ends while another one has some hundred echoes: no timer of seconds runs before that."""
    with Connection(url).open() as connection, Connection(url).open() as other:
        connection.send(frame(CLOSE, close_payload(1000)))
        for _ in range(300):
            other.send(frame(TEXT, b"again"))
            assert other.read_frame() == (TEXT, b"again")
        assert connection.read_frame()[0] == CLOSE
        assert select.select([connection.socket], [], [], 0)[0], "TCP is still open"
        connection.ends()


def test_afterABrokenFrame_tcpIsClosedSoon_evenWhenThePeerGoesOnSending(url):
    """L12: libwebsockets alone would read and discard for five seconds."""
    with Connection(url).open() as connection:
        connection.send(frame(3, b""))
        sent = 0
        while connection.send(frame(BINARY, b"x" * 60000)):
            sent += 60000
            assert sent < 64 * 1024 * 1024, "the server read on"
        assert connection.outcome("close 1002") == "close 1002"


# MARK: - Everything at once


def test_randomBytes_neverHangTheServer(url):
    """Each connection ends or answers; the next one works."""
    seed = 6455
    for _ in range(100):
        with Connection(url).open() as connection:
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            data = hashlib.sha512(seed.to_bytes(4, "big")).digest() * (1 + seed % 40)
            connection.send(data)
    with Connection(url).open() as connection:
        connection.send(frame(TEXT, b"still there?"))
        assert connection.read_frame() == (TEXT, b"still there?")
