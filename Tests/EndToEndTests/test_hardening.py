"""The program's hardening flags, and its traces after a crash."""

import os
import re
import subprocess

from server import ROOT, binary, run
from test_tls import make_certificate


def test_the_program_is_position_independent_and_bound_at_its_start():
    told = subprocess.run(["readelf", "-dlW", str(binary())], capture_output=True, text=True, check=True).stdout
    flags = " ".join(re.findall(r"\(FLAGS(?:_1)?\)\s+(.*)", told))
    assert "NOW" in flags and "PIE" in flags and "GNU_RELRO" in told, flags


def test_the_unit_keeps_registers_out_of_the_log_of_a_crash():
    # That the runtime obeys it was checked by hand, because its backtracer takes half a minute on a busy machine.
    lines = (ROOT / "config/cairn.service").read_text().splitlines()
    options = next(line for line in lines if line.startswith("Environment=SWIFT_BACKTRACE=")).split("=", 2)[2]
    assert "registers=none" in options.split(",")


def test_running_as_root_is_warned_of(start):
    server = start()
    if os.geteuid() == 0:
        server.logged("runs as root")
    else:
        server.stop()
        assert "runs as root" not in server.log()


def complaint(*settings):
    told = run("config", "check", *[word for setting in settings for word in ("--set", setting)])
    return told.returncode, told.stderr


def test_config_check_finds_a_key_that_is_not_the_certificates(tmp_path):
    one, other = make_certificate(tmp_path, "one"), make_certificate(tmp_path, "other")
    pair = (f"listen.tlsCertificate={one['listen__tlsCertificate']}", f"listen.tlsKey={other['listen__tlsKey']}")
    code, said = complaint(f"storage.path={tmp_path}/world", *pair)
    assert code == 78 and "listen.tlsKey" in said


def test_config_check_finds_a_credential_that_others_can_read(tmp_path):
    (tmp_path / "operator.credential").write_text("x" * 43 + "\n")
    (tmp_path / "operator.credential").chmod(0o644)
    code, said = complaint(f"storage.path={tmp_path}", f"storage.keyFile={tmp_path}/apart/cairn.key")
    assert code == 78 and "operator.credential" in said and "0600" in said


def test_config_check_finds_an_origin_that_no_browser_sends(tmp_path):
    for origin in ("https://*.example.org", "https://example.org/", "https://example.org:443", "example.org"):
        code, said = complaint(f"storage.path={tmp_path}", f"listen.originsAllowed={origin}")
        assert code == 78 and "listen.originsAllowed" in said, origin
    for origin in ("capacitor://localhost", "ionic://localhost", "app://cairn.example", "https://[::1]:8443"):
        assert complaint(f"storage.path={tmp_path}", f"listen.originsAllowed={origin}")[0] == 0, origin
