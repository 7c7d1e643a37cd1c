"""Adaptors, the outbox of mails, and feedback as mail (EXT-1 to EXT-3, NTF-3, STA-6)."""

import asyncio
import contextlib
import email
import email.policy
import json
import os
import pathlib
import signal
import sys

import pytest

from cairn import Client, eventually
from server import ROOT, Server, get
from smtp_sink import Sink

SMTP = ROOT / "scripts/adaptors/mail-smtp"
DEVELOPERS = "developers@example.org"
#: Feedback is mailed; nobody's quota is reached.
MAILED = {"feedback__mailTo": DEVELOPERS, "feedback__perHour": 10_000}


def feedback(text="It is too loud", category="bug", **more):
    return {"category": category, "text": text, **more}


def script(folder, text):
    """An adaptor in Python; returns its command line."""
    path = folder / "adaptor.py"
    path.write_text("import json, os, signal, sys\n" + text)
    return f"/usr/bin/env python3 {path}"


def running(word):
    """The processes that have this word in their command line."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.fsencode(word) in (process / "cmdline").read_bytes().split(b"\0"):
                found.append(int(process.name))
    return found


async def figure(server, name):
    """The sum of a figure's samples on /metrics."""
    _, _, page = await get(f"{server.http}/metrics")
    lines = [line for line in page.splitlines() if line.startswith((f"{name} ", f"{name}{{"))]
    assert lines, name
    return sum(float(line.split()[-1]) for line in lines)


def mails_in(folder):
    files = sorted(folder.glob("*.eml")) if folder.exists() else []
    return [email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in files]


async def test_feedback_is_mailed_without_its_author(start, tmp_path):
    server = start(**MAILED)
    ada = await Client.connect(server, "Adalberta")
    version = "7.1\r\nRating: 5 of 5\u2028x"
    await ada.ask("sendFeedback", feedback("Zu laut! 🔊\nUnd zu bunt", rating=2, appVersion=version))
    folder = tmp_path / "data.mail"

    async def mails():
        return mails_in(folder)

    (mail,) = await eventually(mails, "the mail")
    assert mail["To"] == DEVELOPERS and mail["From"] == "cairn@localhost" and mail["Subject"] == "Feedback: bug"
    text = mail.get_content().replace("\r\n", "\n").rstrip("\n")
    assert text == "Category: bug\nRating: 2 of 5\nApp version: 7.1  Rating: 5 of 5 x\n\nZu laut! 🔊\nUnd zu bunt"
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    whole = file.read_text() + server.log()
    assert "Adalberta" not in whole and ada.welcome["account"] not in whole and DEVELOPERS not in server.log()

    async def is_empty():
        return await figure(server, "cairn_mails_waiting") == 0

    await eventually(is_empty, "an empty outbox")
    assert await figure(server, "cairn_mails_ended_total") == 1


async def test_feedback_is_not_mailed_without_an_address(start, tmp_path):
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.ask("sendFeedback", feedback())
    assert await figure(server, "cairn_mails_ended_total") == 0 and mails_in(tmp_path / "data.mail") == []


async def test_mails_go_over_smtp_and_the_refused_are_given_up(tmp_path):
    async with Sink() as sink:
        with Server.start(
            tmp_path / "data", env=sink.settings(tmp_path / "journal"), adaptors__mail=SMTP, **MAILED
        ) as server:
            ada = await Client.connect(server, "Ada")
            for number in range(20):
                await ada.ask("sendFeedback", feedback(f"Größe {number}"))

            async def are_there():
                return len(sink.mails) == 20

            await eventually(are_there, lambda: f"{len(sink.mails)} mails")
            assert {recipient for recipients, _ in sink.mails for recipient in recipients} == {DEVELOPERS}
            texts = sorted(mail.get_content().splitlines()[-1] for _, mail in sink.mails)
            assert texts == sorted(f"Größe {number}" for number in range(20))
            assert len(set(sink.ids)) == 20 and all(mail["Date"] for _, mail in sink.mails)
            sink.refused.add(DEVELOPERS)
            await ada.ask("sendFeedback", feedback("nobody reads this"))

            async def is_refused():
                return await figure(server, "cairn_adaptor_refused_total") == 1

            await eventually(is_refused, "a refusal")
            server.logged("address_invalid")
            assert DEVELOPERS not in server.log()
            await ada.close()


async def answered(sink, folder, to, sender="cairn@example.org"):
    """The answer of the program for SMTP to one mail."""
    folder.mkdir(exist_ok=True)
    call = {"id": "m-1", "do": "send", "from": sender, "to": to, "subject": "Größe", "text": "Hallo\n"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, SMTP, env={**os.environ, **sink.settings(folder / "journal")}, stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    out, _ = await process.communicate(json.dumps(call).encode() + b"\n")
    return json.loads(out)


async def test_a_mail_that_is_refused_after_data_is_refused_for_good(tmp_path):
    async with Sink(after_data="554 no such thing here") as sink:
        assert (await answered(sink, tmp_path, "ada@example.org"))["refused"]["code"] == "mail_rejected"
        sink.after_data = "451 not now"
        assert "failed" in await answered(sink, tmp_path, "ada@example.org")
        assert sink.attempts == 2


@pytest.mark.parametrize("goodbye", ["421 closing", "554 what", "221 bye"])
async def test_what_the_other_side_has_taken_is_sent(tmp_path, goodbye):
    async with Sink(at_quit=goodbye) as sink:
        for _ in range(2):
            assert "done" in await answered(sink, tmp_path, "ada@example.org")
        assert len(sink.mails) == 1


async def test_addresses_in_other_letters_are_mailed_or_refused_for_good(tmp_path):
    async with Sink() as sink:
        # The domain has a form in ASCII, the name before it has none.
        assert "done" in await answered(sink, tmp_path / "a", "ada@bücher.example")
        assert sink.mails[0][0] == ["ada@xn--bcher-kva.example"]
        assert (await answered(sink, tmp_path / "b", "jörg@example.org"))["refused"]["code"] == "address_unsupported"
        # Two domains, by which version of IDNA one asks: none is guessed.
        assert "refused" in await answered(sink, tmp_path / "c", "ada@straße.example")
        assert len(sink.mails) == 1
    async with Sink(extensions=["8BITMIME", "SMTPUTF8"]) as sink:
        assert "done" in await answered(sink, tmp_path / "d", "jörg@bücher.example")
        [(recipients, mail)] = sink.mails
        assert recipients == ["jörg@bücher.example"] and mail["Subject"] == "Größe"


async def test_a_kill_amid_mails_loses_none_and_doubles_none(tmp_path):
    async with Sink(room=6) as sink:
        more = {"env": sink.settings(tmp_path / "journal"), "adaptors__mail": SMTP, **MAILED}
        server = Server.start(tmp_path / "data", **more)
        ada = await Client.connect(server, "Ada")
        for number in range(40):
            await ada.ask("sendFeedback", feedback(f"number {number}"))

        async def is_full():
            return len(sink.mails) == 6 and sink.waiting > 0

        await eventually(is_full, lambda: f"{len(sink.mails)} mails")
        server.kill()
        # The adaptor of the server that is gone ends what it has begun.
        sink.open()
        with Server.start(tmp_path / "data", **more) as server:

            async def is_over():
                return len(sink.mails) >= 40 and await figure(server, "cairn_mails_waiting") == 0

            await eventually(is_over, lambda: f"{len(sink.mails)} mails")
        assert len(sink.mails) == len(set(sink.ids)) == 40


async def test_mails_wait_for_an_adaptor_that_fails_and_survive_a_restart(start, tmp_path):
    server = start(adaptors__mail=script(tmp_path, """
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "failed": {"message": "no connection"}}), flush=True)
"""), **MAILED)
    ada = await Client.connect(server, "Ada")
    await ada.ask("sendFeedback", feedback())

    async def has_failed():
        return await figure(server, "cairn_mails_failed_attempts_total") >= 1

    await eventually(has_failed, "a failed attempt")
    assert server.stop() == 0
    server = start(**MAILED)

    async def mails():
        return mails_in(tmp_path / "data.mail")

    assert len(await eventually(mails, "the mail")) == 1


BAD = {
    "hangs": "signal.pause()",
    "dies": "sys.exit(3)",
    "floods": "while True: sys.stdout.write('nonsense\\n' * 1000)",
    "endless line": "while True: sys.stdout.write('x' * 100000)",
    "floods the log": "while True: sys.stderr.write('ada@example.org is not there\\n' * 1000)",
}


@pytest.mark.parametrize("kind", BAD)
async def test_an_adaptor_that(kind, start, tmp_path):
    server = start(adaptors__mail=script(tmp_path, BAD[kind]), adaptors__timeoutSeconds=1, **MAILED)
    ada = await Client.connect(server, "Ada")
    before = server.resident_bytes()
    for number in range(50):
        assert (await ada.ask("sendFeedback", feedback(f"number {number}")))["feedback"]

    async def has_failed():
        return await figure(server, "cairn_adaptor_failed_total") >= 1

    await eventually(has_failed, "a failed call")
    await ada.ask("sendFeedback", feedback())
    assert server.resident_bytes() - before < 64 << 20
    assert await figure(server, "cairn_mails_waiting") >= 1
    assert "ada@example.org" not in server.log() and len(server.log()) < 100_000
    assert server.stop() == 0


async def test_feedback_does_not_wait_for_its_mail(start, tmp_path):
    """The adaptor has a mail and does not answer for as long as the server is there."""
    reads = script(
        tmp_path, f"sys.stdin.readline()\nopen({str(tmp_path / 'read')!r}, 'w').close()\nsys.stdin.read()\n")
    server = start(adaptors__mail=reads, adaptors__timeoutSeconds=300, **MAILED)
    ada = await Client.connect(server, "Ada")
    await ada.ask("sendFeedback", feedback())

    async def has_read():
        return (tmp_path / "read").exists()

    await eventually(has_read, "a mail for the adaptor")
    for number in range(20):
        assert (await ada.ask("sendFeedback", feedback(f"number {number}")))["feedback"]
    assert await figure(server, "cairn_adaptor_failed_total") == 0
    server.kill()


async def test_another_command_takes_over_at_a_reload(tmp_path):
    settings = tmp_path / "cairn.yaml"
    log = tmp_path / "calls"
    hanging = script(tmp_path, "signal.pause()")
    settings.write_text(f'adaptors: {{ mail: "{hanging}", timeoutSeconds: 1 }}\n')
    data = tmp_path / "data"
    with Server.start(data, "--config", settings, **MAILED) as server:
        ada = await Client.connect(server, "Ada")
        await ada.ask("sendFeedback", feedback())
        other = tmp_path / "other"
        other.mkdir()
        command = script(other, f"""
for line in sys.stdin:
    with open({str(log)!r}, "a") as file: file.write(line)
    print(json.dumps({{"id": json.loads(line)["id"], "done": {{}}}}), flush=True)
""")
        settings.write_text(f'adaptors: {{ mail: "{command}", timeoutSeconds: 300 }}\n')
        os.kill(server.process.pid, signal.SIGHUP)

        async def is_sent():
            return await figure(server, "cairn_mails_waiting") == 0 and log.exists()

        async def is_ended():
            return not running(hanging.split()[-1])

        await eventually(is_sent, server.log)
        # The former process does not read its stdin: it is sent signals, by a server that is still there.
        await eventually(is_ended, "the end of the former process")
        await ada.close()
    (line,) = log.read_text().splitlines()
    assert '"do":"send"' in line and "Ada" not in line
