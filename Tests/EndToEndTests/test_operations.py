"""The promises of docs/operations.md and config/: the unit is valid and hardened, every alert is explained, Prometheus
reads the server's figures."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from cairn import PATIENCE, Client, Refused, pose
from operators import fetch
from server import ROOT, binary

UNIT = ROOT / "config/cairn.service"
ALERTS = ROOT / "config/prometheus-alerts.yaml"


def told(*command, **more):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=PATIENCE, **more)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


def settings_of_unit():
    return [line.split("=", 1) for line in UNIT.read_text().splitlines() if re.match(r"[A-Z]\w*=", line)]


def test_the_unit_is_sound_and_hardened(tmp_path):
    """systemd checks that the program exists, so the unit names the built one. Without systemd only the settings are
    checked."""
    settings = dict(settings_of_unit())
    assert settings["Type"] == "notify" and settings["User"] != "root" and settings["CapabilityBoundingSet"] == ""
    for name in ("NoNewPrivileges", "PrivateTmp", "PrivateDevices", "ProtectHome", "MemoryDenyWriteExecute"):
        assert settings[name] == "yes", name
    if shutil.which("systemd-analyze"):
        unit = tmp_path / "cairn.service"
        unit.write_text(UNIT.read_text().replace("/usr/bin/cairn", str(binary())))
        assert told("systemd-analyze", "verify", unit) == ""
        rating = re.search(r"exposure level for cairn.service: ([0-9.]+)",
                           told("systemd-analyze", "security", "--offline=true", unit))
        assert float(rating.group(1)) < 2, rating.group()


def test_the_units_command_line_is_one_that_cairn_takes():
    words = dict(settings_of_unit())["ExecStart"].split()
    assert words[:2] == ["/usr/bin/cairn", "serve"]
    words = [word.replace("/etc/cairn/cairn.yaml", str(ROOT / "config/service.yaml")) for word in words[2:]]
    shown = told(binary(), "config", "show", *words, env={
        "STATE_DIRECTORY": "/var/lib/cairn:/var/lib/cairn-key", "RUNTIME_DIRECTORY": "/run/cairn", "PATH": "/usr/bin"})
    for path in ("/var/lib/cairn", "/var/lib/cairn-key/cairn.key", "/run/cairn/stats.sock"):
        assert re.search(rf"{re.escape(path)}\b", shown), shown


def test_every_alert_is_explained():
    alerts = re.findall(r"- alert: (\w+)", ALERTS.read_text())
    explained = re.findall(r"^### (Cairn\w+)$", (ROOT / "docs/operations.md").read_text(), re.MULTILINE)
    assert alerts and alerts == explained


@pytest.mark.seconds(90)
def test_prometheus_scrapes_the_server_and_the_dashboard_gets_its_data():
    said = told(sys.executable, ROOT / "scripts/check-dashboard", binary(), env=with_prometheus())
    queries = int(re.search(r"(\d+) queries return data", said).group(1))
    rules = int(re.search(r"(\d+) rules are healthy", said).group(1))
    panels = json.loads((ROOT / "config/grafana-dashboard.json").read_text())["panels"]
    assert queries == sum(len(panel.get("targets", [])) for panel in panels) > 40
    assert rules == len(re.findall(r"- alert: ", ALERTS.read_text()))


def with_prometheus():
    """The environment with a path to `prometheus` and `promtool`, including the folder of scripts/bootstrap."""
    import os
    return os.environ | {"PATH": f"{os.environ['PATH']}:{ROOT}/.venv/prometheus/usr/bin"}


async def test_promtool_finds_nothing_to_say_about_metrics_and_rules(server, spot):
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    await ada.place(pose(*spot))
    with pytest.raises(Refused):
        await ada.place(pose(*spot), "preset:nonsense")
    await server.until_figure('cairn_refusals_total{code="object_not_owned"}', 1)
    page = fetch(server, "/metrics")[2]
    assert told("promtool", "check", "metrics", input=page, env=with_prometheus()) == ""
    assert "SUCCESS" in told("promtool", "check", "rules", ALERTS, env=with_prometheus())
