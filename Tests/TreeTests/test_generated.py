"""What scripts make from the schema and other sources is what they make from them now."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: All that need nothing but Python. Others: test_embedded.py, StatsProtocolTests; `generate-proto` needs protoc.
SCRIPTS = ["generate-bounds", "generate-golden", "generate-js-codec", "generate-protocol-docs", "generate-requests"]


def test_what_is_made_is_what_its_sources_give():
    checks = {script: subprocess.run(
        [sys.executable, ROOT / "scripts" / script, "--check"], capture_output=True, text=True) for script in SCRIPTS}
    stale = {script: check.stderr for script, check in checks.items() if check.returncode != 0}
    assert stale == {}, f"run {', '.join(stale)}: {stale}"
