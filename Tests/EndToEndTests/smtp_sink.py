"""A mail server that keeps what it gets: as much of SMTP (RFC 5321) as smtplib speaks."""

import asyncio
import email
import email.policy


class Sink:
    """Keeps mails as they came, with their recipients. It refuses the addresses of `refused` for good. It takes `room`
    mails, and lets further ones wait until it is opened. It knows the extensions of `extensions`, answers a mail with
    `after_data`, and the end of a connection with `at_quit`; "" = nothing, and the connection hangs."""

    def __init__(self, refused=(), room=1_000_000, extensions=(), after_data="250 taken", at_quit="221 bye"):
        self.extensions, self.after_data, self.at_quit = extensions, after_data, at_quit
        self.attempts = 0
        self.refused = set(refused)
        self.room = asyncio.Semaphore(room)
        self.mails = []
        self.waiting = 0

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()

    def open(self):
        for _ in range(1_000):
            self.room.release()

    @property
    def ids(self):
        return [mail["Message-ID"] for _, mail in self.mails]

    def settings(self, journal):
        """The environment of an adaptor that sends here."""
        return {
            "CAIRN_ADAPTOR_SMTP_HOST": "127.0.0.1", "CAIRN_ADAPTOR_SMTP_PORT": str(self.port),
            "CAIRN_ADAPTOR_SMTP_TLS": "none", "CAIRN_ADAPTOR_JOURNAL": str(journal),
        }  # fmt: skip

    async def _serve(self, reader, writer):
        def say(line):
            writer.write(f"{line}\r\n".encode())

        say("220 sink")
        recipients = []
        try:
            while line := (await reader.readline()).decode().strip():
                word = line.split(":")[0].upper()
                if word.startswith("EHLO "):
                    names = ["sink", *self.extensions]
                    for name in names[:-1]:
                        say(f"250-{name}")
                    say(f"250 {names[-1]}")
                elif word == "RCPT TO":
                    address = line.split("<")[1].split(">")[0]
                    if address in self.refused:
                        say("550 no such mailbox")
                    else:
                        recipients.append(address)
                        say("250 ok")
                elif word == "DATA":
                    say("354 go on")
                    data = await reader.readuntil(b"\r\n.\r\n")
                    self.waiting += 1
                    await self.room.acquire()
                    self.waiting -= 1
                    self.attempts += 1
                    if self.after_data.startswith("250"):
                        mail = email.message_from_bytes(data[:-3], policy=email.policy.default)
                        self.mails.append((recipients, mail))
                    recipients = []
                    say(self.after_data)
                elif word == "QUIT":
                    if self.at_quit:
                        say(self.at_quit)
                    break
                else:
                    say("250 ok")
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
