"""Each kind of request is answered in time, and each broadcast reaches its last receiver in time (QOS-1, QOS-3).

    pytest Tests/EndToEndTests/test_quality.py -m soak -s        the two rows of QOS-1, at their size
"""

import json
import os
import subprocess

import pytest

from server import binary, environment

pytestmark = pytest.mark.alone

FULL = {
    "10,000 connected, 2,000 move over 100 cells": ("--people", 10_000, "--moving", 2_000, "--cells", 100),
    "1,000 in one cell": ("--people", 1_000, "--cells", 1),
}
# So lively that a few people do everything within seconds.
LIVELY = ("placeEvery=2", "reactEvery=2", "postEvery=3", "voteEvery=2", "askEvery=0.7", "realmEvery=0.5",
          "selectEvery=2", "friendEvery=0.7")  # fmt: skip
SHORT = ("--people", 300, "--moving", 60, "--cells", 5, "--for", "12s", "--warm-up", "3s",
         *(word for key in LIVELY for word in ("--with", key)))  # fmt: skip
# What others are told of, and poses.
BROADCASTS = {"place", "edit", "remove", "react", "post", "vote", "accept", "join", "approve", "add", "leave", "expel",
              "pose"}  # fmt: skip


def quality(folder, *arguments, seconds):
    """Runs `cairn-crowd qos`; returns its exit code and its report."""
    program = os.environ.get("CAIRN_CROWD_BIN") or binary().with_name("cairn-crowd")
    command = [program, "qos", "--server", binary(), "--json", folder / "report.json", "--text", *arguments]
    ended = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=seconds, env=environment())
    assert ended.returncode in (0, 1) and ended.stdout, ended.stderr
    print("\n" + ended.stdout[ended.stdout.find("\nConnected"):])
    report = json.loads((folder / "report.json").read_text())
    assert "failure" not in report and report["rules_broken"] == 0, report["broken_examples"]
    return ended.returncode, report


def counts(rows):
    return {row["kind"]: row["count"] for row in rows}


def test_every_kind_of_request_and_broadcast_is_timed_beside_people_who_only_look(tmp_path):
    _, report = quality(tmp_path, *SHORT, seconds=120)
    figures = report["quality"]
    asked = counts(figures["requests"])
    assert len(asked) > 30 and min(asked.values()) > 0, asked
    assert set(counts(figures["broadcasts"])) == BROADCASTS
    # All who look receive what one of the sixty places in their cell.
    everyone = next(row for row in figures["broadcasts"] if row["kind"] == "post")
    assert everyone["receivers"] >= 50, everyone
    for row in figures["requests"] + figures["broadcasts"]:
        assert 0 < row["p50_ms"] <= row["p95_ms"] <= row["p99_ms"] <= row["max_ms"], row


@pytest.mark.soak
@pytest.mark.parametrize("size", FULL)
def test_requests_and_broadcasts_are_in_time_at_full_size(size, tmp_path):
    code, report = quality(tmp_path, *FULL[size], seconds=300)
    figures = report["quality"]
    assert not report["generator_starved"], report["generator_delay_ms"]
    rows = figures["requests"] + figures["broadcasts"]
    # Of every kind there are enough to say something about 95 %.
    assert [row["kind"] for row in rows if row["verdict"] == "too few"] == []
    broken = [row for row in rows if row["verdict"] != "kept"]
    assert code == 0 and not broken and figures["resyncs"] == 0, broken
