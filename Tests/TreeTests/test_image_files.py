"""packaging/Containerfile: in step with the package, the unit and the settings, and of a plain form."""

import json
import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONTAINERFILE = ROOT / "packaging/Containerfile"
COMPOSE = (ROOT / "packaging/compose.yaml").read_text()
UNIT = (ROOT / "config/cairn.service").read_text()
SETTINGS = (ROOT / "config/cairn.yaml").read_text()


def instructions(text):
    """The instructions with their words, in order."""
    joined = re.sub(r"\\\n", " ", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE))
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


def complaints(text):
    """What is wrong with the form of a Containerfile."""
    found, all = [], instructions(text)
    kinds = [kind for kind, _ in all]
    users = [words for kind, words in all if kind == "USER"]
    if not users or not re.fullmatch(r"[1-9]\d*:[1-9]\d*", users[-1]):
        found.append("USER is not a number other than root's")
    for kind, words in all:
        if kind == "FROM" and (words.endswith(":latest") or ":" not in words and "$" not in words):
            found.append("FROM has no version")
        if kind == "ADD":
            found.append("ADD fetches and unpacks: COPY, or a mount")
        if kind in ("CMD", "ENTRYPOINT") and not isinstance(parsed(words), list):
            found.append(f"{kind} runs a shell, which gets the signals")
        if kind == "RUN":
            if "set -eu" not in words:
                found.append("RUN goes on after a failure")
            for install in re.findall(r"apt-get install[^;]*", words):
                if "--yes" not in install or "--no-install-recommends" not in install:
                    found.append(f"more is installed than is needed, or it asks: {install}")
            if "apt-get update" in words and "/var/lib/apt/lists" not in words:
                found.append("RUN leaves the lists of apt")
    for wanted in ("VOLUME", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "EXPOSE"):
        if kinds.count(wanted) != 1:
            found.append(f"{wanted} is there {kinds.count(wanted)} times")
    return found


def parsed(words):
    try:
        return json.loads(words)
    except ValueError:
        return None


def one(kind):
    (words,) = [words for name, words in instructions(CONTAINERFILE.read_text()) if name == kind]
    return words


def variables():
    return dict(word.split("=", 1) for word in shlex.split(one("ENV")))


def default(key):
    section, name = key.split(".")
    return re.search(rf"^{section}:\n(?:(?:  .*)?\n)*?  {name}: (.*)$", SETTINGS, re.MULTILINE)[1].strip('"')


def settings():
    """The variables of all settings (README.md, "Settings")."""
    found, section = set(), None
    for line in SETTINGS.splitlines():
        if named := re.match(r"(\w+):$", line):
            section = named[1]
        elif named := re.match(r"  (\w+):", line):
            words = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", named[1])
            found.add(f"CAIRN_{section}_{words}".upper())
    return found


def test_it_is_of_a_plain_form():
    assert complaints(CONTAINERFILE.read_text()) == []


@pytest.mark.parametrize("old, new", [
    ("USER 10001:10001", "USER cairn"), ("USER 10001:10001", "USER 0:0"), ("USER 10001:10001\n", ""),
    ('ENTRYPOINT ["cairn"]', "ENTRYPOINT cairn"), ("STOPSIGNAL SIGTERM\n", ""), ("set -eu;", ""),
    (" --no-install-recommends /srv", " /srv"), ("/var/lib/apt/lists/*", ""), ("FROM ${BASE}", "FROM debian"),
    ("VOLUME /var/lib/cairn\n", "ADD http://example.org/a /\n"),
])
def test_another_form_is_refused(old, new):
    text = CONTAINERFILE.read_text()
    assert old in text and complaints(text.replace(old, new)) != []


def test_it_is_in_step_with_the_package():
    user, run = one("USER").split(":")[0], one("RUN")
    number = next(words for kind, words in instructions(CONTAINERFILE.read_text())
                  if kind == "ARG" and words.startswith("USER_ID="))
    assert number == f"USER_ID={user}"
    # The user that the package would make itself.
    postinst = (ROOT / "packaging/postinst").read_text()
    named = re.search(r"adduser --system .* (\w+)$", postinst, re.MULTILINE)[1]
    home = re.search(r"--home (\S+)", postinst)[1]
    assert re.search(rf"addgroup --system .* {named};", run) and f"--home {home} " in run
    # What it writes is in the volume; the world is there by the package's own settings.
    volume = one("VOLUME")
    path = re.search(r"^  path: (\S+)", (ROOT / "config/service.yaml").read_text(), re.MULTILINE)[1]
    assert volume == path == home == one("WORKDIR")
    assert {name for name, value in variables().items() if value.startswith(f"{volume}/")} == {
        "CAIRN_STORAGE_KEY_FILE", "CAIRN_STATS_SOCKET_PATH"}
    command = " ".join(parsed(one("ENTRYPOINT")) + parsed(one("CMD")))
    assert f"ExecStart=/usr/bin/{command}\n" in UNIT
    assert one("EXPOSE") == default("listen.port")
    assert f"SWIFT_BACKTRACE={variables()['SWIFT_BACKTRACE']}\n" in UNIT
    assert one("HEALTHCHECK").endswith('CMD ["cairn", "check"]')


def test_its_variables_and_those_of_the_example_are_settings():
    named = set(re.findall(r"CAIRN_\w+", COMPOSE)) - {"CAIRN_NAME"}
    assert named and named | {name for name in variables() if name.startswith("CAIRN_")} <= settings()


def test_the_example_is_in_step_with_the_image():
    server, proxy = COMPOSE.split("\n  proxy:")
    assert f":{one('VOLUME')}\n" in server and "read_only: true" in server and "cap_drop: [ALL]" in server
    assert "ports:" not in server
    # Longer than the server takes to say goodbye, as the unit waits.
    grace = int(re.search(r"stop_grace_period: (\d+)s", server)[1])
    assert grace > int(default("shutdown.drainSeconds")) and f"TimeoutStopSec={grace}\n" in UNIT
    address = re.search(r"ipv4_address: ([\d.]+)", proxy)[1]
    assert f"CAIRN_LISTEN_TRUSTED_PROXIES: {address}\n" in server
    assert f"reverse_proxy cairn:{one('EXPOSE')}\n" in (ROOT / "packaging/Caddyfile").read_text()


def test_the_document_for_operators_says_the_same():
    text = (ROOT / "docs/operations.md").read_text().split("## In a container\n")[1].split("\n## ")[0]
    for said in (one("VOLUME"), one("EXPOSE"), one("USER"), "packaging/compose.yaml", *[
            name for name in variables() if name.startswith("CAIRN_")]):
        assert said in text, said
