"""The samples of docs/samples as `cairn examples connect` prints them: those that can be run here are run."""

import asyncio
import json
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from browser import browser
from cairn import eventually
from server import ROOT, run

SAMPLES = {"javascript": "connect.js", "python": "connect.py", "swift": "Connect.swift", "kotlin": "Connect.kt",
           "csharp": "Connect.cs"}
SAID = ["welcome, ada", "in cell ", "placed ", "reacted ", "resumed ", "removed "]


def printed(language, *options):
    done = run("examples", "connect", language, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("language", SAMPLES)
def test_each_is_printed_with_address_and_token(language):
    text = (ROOT / "docs/samples" / SAMPLES[language]).read_text()
    assert printed(language) == text
    filled = printed(language, "--url", "wss://cairn.example/v1", "--token", "tok_8pZk3")
    assert "wss://cairn.example/v1" in filled and "127.0.0.1" not in filled
    assert re.search(r"token = [\"']tok_8pZk3[\"']", filled, re.IGNORECASE)
    # Nothing else has changed.
    changed = [pair for pair in zip(text.splitlines(), filled.splitlines(), strict=True) if pair[0] != pair[1]]
    assert len(changed) == 2, changed


@pytest.mark.parametrize("language", SAMPLES)
def test_each_says_what_the_tests_do_with_it(language):
    head = printed(language).replace("\n// ", " ")[:1000]
    said = {"python": "Run by the project's tests", "javascript": "Run by the project's tests",
            "swift": "The project's tests compile it on Linux and do not run it"}
    assert said.get(language, "The project's tests compile and run it with") in head


@pytest.mark.parametrize("language", SAMPLES)
def test_each_has_the_shared_vectors_of_the_frames(language):
    vectors = json.loads((ROOT / "docs/frames.json").read_text())["vectors"]
    text = re.sub(r"[\s()\[\]f]|new|Vector3|Quaternion|listOf|\.0\b", "", printed(language))
    frame = "unityEUN" if language == "csharp" else "webXR"
    for vector in vectors:
        for name in ("enu", frame):
            numbers = ",".join("%g" % value for value in vector[name]["position"])
            assert numbers in text, (language, vector["name"], name)


def test_what_is_no_address_is_refused():
    done = run("examples", "connect", "python", "--url", 'ws://x"; import os #')
    assert done.returncode != 0 and "neither an address nor a token" in done.stderr
    assert run("examples", "connect", "cobol").returncode != 0


async def test_the_python_sample_runs(server, tmp_path):
    sample = tmp_path / "connect.py"
    sample.write_text(printed("python", "--url", server.url))
    running = await asyncio.create_subprocess_exec(
        sys.executable, sample, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    said = (await running.communicate())[0].decode()
    assert running.returncode == 0, said
    assert [line.startswith(start) for line, start in zip(said.splitlines(), SAID, strict=True)] == [True] * 6, said
    assert "resumed True" in said


# MARK: - Those of other compilers

#: What the samples for Unity and Android need here, beside their sources.
BESIDE = pathlib.Path(__file__).parent / "samples"
JSON = pathlib.Path("/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll")
JARS = [pathlib.Path(f"/usr/share/java/{name}.jar") for name in ("okhttp", "okio", "com.android.json", "kotlin-stdlib")]


def compiled(*command, folder):
    """Runs a compiler, which scripts/bootstrap has installed."""
    done = subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


async def says_what_the_others_say(*command, folder):
    """Runs a sample; its lines begin as those of all samples do."""
    running = await asyncio.create_subprocess_exec(
        *map(str, command), cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    said = (await running.communicate())[0].decode()
    assert running.returncode == 0, said
    # Mono writes the answer to a reaction on several lines.
    lines = [line for line in said.splitlines() if any(line.startswith(start) for start in SAID)]
    assert [line.startswith(start) for line, start in zip(lines, SAID, strict=True)] == [True] * len(SAID), said
    assert "resumed true" in [line.lower() for line in lines], said


async def test_the_csharp_sample_runs(server, tmp_path):
    (tmp_path / "Connect.cs").write_text(printed("csharp", "--url", server.url))
    shutil.copy(JSON, tmp_path)
    compiled("mcs", "-langversion:7.2", "-out:connect.exe", f"-r:{JSON.name}", "Connect.cs", BESIDE / "UnityEngine.cs",
             folder=tmp_path)
    await says_what_the_others_say("mono", "connect.exe", folder=tmp_path)


async def test_the_kotlin_sample_runs(server, tmp_path):
    (tmp_path / "Connect.kt").write_text(printed("kotlin", "--url", server.url))
    beside = ":".join(map(str, JARS))
    compiled("kotlinc", "Connect.kt", BESIDE / "Main.kt", "-cp", beside, "-d", "connect.jar", folder=tmp_path)
    await says_what_the_others_say("java", "-cp", f"connect.jar:{beside}", "MainKt", folder=tmp_path)


def test_the_swift_sample_compiles(tmp_path):
    (tmp_path / "Connect.swift").write_text(printed("swift"))
    compiled("swiftc", "-typecheck", "Connect.swift", folder=tmp_path)


async def test_the_javascript_sample_runs_in_a_browser(server):
    async with browser() as chromium:
        # A page of the server whose policy lets a sample in. (A page that Playwright makes up may open no socket here.)
        page = await chromium.new_page(bypass_csp=True)
        said, faults = [], []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        await page.goto(server.http + "/help")
        await page.add_script_tag(content=printed("javascript", "--url", server.url), type="module")

        async def is_done():
            assert not faults, faults
            return any(line.startswith("removed") for line in said)

        await eventually(is_done, lambda: said)
        words = [line for line in said if any(line.startswith(start) for start in SAID)]
        assert [line.startswith(start) for line, start in zip(words, SAID, strict=True)] == [True] * 6, said
        assert "resumed true" in words
