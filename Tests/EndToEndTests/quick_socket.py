"""A WebSocket of few lines for runs in which one process reads what hundreds of connections get.

It has no queue and no task of its own: a message goes to its reader as soon as it is whole. The payload is masked with
zeros, which RFC 6455 allows a server to accept.
"""

import asyncio
import urllib.parse

TEXT, CONTINUATION, CLOSE, PING, PONG = 1, 0, 8, 9, 10


class QuickSocket(asyncio.Protocol):
    def __init__(self, read):
        self.read = read  # called with the text of each message
        self.transport = None
        self.opened = asyncio.get_running_loop().create_future()
        self.closed = asyncio.get_running_loop().create_future()
        self._buffer, self._parts = bytearray(), b""

    @classmethod
    async def connect(cls, url, subprotocol, read):
        parts = urllib.parse.urlsplit(url)
        _, socket = await asyncio.get_running_loop().create_connection(lambda: cls(read), parts.hostname, parts.port)
        head = (
            f"GET {parts.path} HTTP/1.1", f"Host: {parts.netloc}", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Protocol: {subprotocol}", "", "")  # fmt: skip
        socket.transport.write("\r\n".join(head).encode())
        await asyncio.wait_for(socket.opened, 60)
        return socket

    def send(self, text):
        self._send(TEXT, text.encode())

    def abort(self):
        self.transport.abort()

    def _send(self, opcode, payload):
        if self.transport.is_closing():
            return
        count = len(payload)
        length = bytes([0x80 | count]) if count < 126 else b"\xfe" + count.to_bytes(2, "big")
        assert count < 1 << 16
        self.transport.write(bytes([0x80 | opcode]) + length + bytes(4) + payload)

    # MARK: What asyncio calls

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, _):
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("closed before the handshake's answer"))
        self.closed.set_result(None)

    def data_received(self, data):
        buffer = self._buffer
        buffer += data
        if not self.opened.done():
            head, mark, rest = bytes(buffer).partition(b"\r\n\r\n")
            if not mark:
                return
            if not head.startswith(b"HTTP/1.1 101 "):
                self.opened.set_exception(ConnectionError(head.decode()))
                return self.transport.abort()
            self.opened.set_result(None)
            buffer[:] = rest
        at, size = 0, len(buffer)
        while size - at >= 2:
            count, start = buffer[at + 1], at + 2
            if count > 125:
                wide = 2 if count == 126 else 8
                if size < start + wide:
                    break
                count, start = int.from_bytes(buffer[start : start + wide], "big"), start + wide
            if size < start + count:
                break
            first, at = buffer[at], start + count
            self._receive(first, bytes(buffer[start:at]))
        del buffer[:at]

    def _receive(self, first, payload):
        opcode = first & 15
        if opcode == PING:
            self._send(PONG, payload)
        elif opcode == CLOSE:
            self.transport.close()
        elif opcode in (TEXT, CONTINUATION):
            self._parts += payload
            if first & 0x80:
                whole, self._parts = self._parts, b""
                self.read(whole.decode())
