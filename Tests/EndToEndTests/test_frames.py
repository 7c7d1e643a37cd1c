"""RFC 6455's frame rules against a Cairn server: runs every case of rfc6455_frames.py on its echo path."""

import pathlib
import subprocess
import sys

from server import environment


def test_frames_and_handshakes_follow_rfc_6455_but_for_the_known_deviations(start):
    server = start(debug__echoPath="/echo", connections__messageBytesMax=65536)
    url = f"ws://{server.host}:{server.port}/echo"
    here = pathlib.Path(__file__).parent
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short"]
    result = subprocess.run(
        [*pytest, here / "rfc6455_frames.py", "--url", url],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900, env=environment(), cwd=here,
    )  # fmt: skip
    print(result.stdout[-500:])
    assert result.returncode == 0, result.stdout[-20_000:] + result.stderr
    assert server.is_running, server.log()
