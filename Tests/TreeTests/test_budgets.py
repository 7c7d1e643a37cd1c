"""Every phase of `make test` has a budget in Tests/budgets.json, and a run that exceeds one fails.

A budget is in calibration loops (Tests/Runner/calibration.py), which the run times: slow machines have slow loops.
"""

import os
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "Runner"))

import calibration  # noqa: E402
import long_forms  # noqa: E402
import plan  # noqa: E402

BUDGETS = calibration.read(TESTS / "budgets.json")


def measured(loop=0.1, seconds=0.0, **phases):
    return {"loop": loop, "seconds": seconds, "phases": {
        name: {"seconds": processor, "processor": processor} for name, processor in phases.items()}}


def test_every_phase_has_a_budget_and_every_budget_a_phase():
    phases = plan.build() + plan.swift() + plan.sockets() + plan.machines() + plan.alone()
    assert {phase.name for phase in phases} | {"Clean machine"} == set(BUDGETS["processor"])


def test_a_phase_within_its_budget_passes_and_one_beyond_it_does_not():
    budgets = {"whole": 100, "processor": {"Build": 50}}
    assert calibration.excesses(measured(Build=5.0), budgets) == []
    (complaint,) = calibration.excesses(measured(Build=5.1), budgets)
    assert "Build took 51 loops" in complaint


def test_a_run_beyond_the_budget_of_the_whole_does_not_pass():
    (complaint,) = calibration.excesses(measured(seconds=10.2), {"whole": 100, "processor": {}})
    assert "whole run took 102 loops" in complaint


def test_a_phase_without_a_budget_is_found():
    (complaint,) = calibration.excesses(measured(New=1.0), {"whole": 100, "processor": {}})
    assert "New has no budget" in complaint


def test_a_slow_machine_has_slow_loops():
    budgets = {"whole": 100, "processor": {"Build": 50}}
    assert calibration.excesses(measured(loop=0.3, Build=14.9), budgets) == []


def test_the_long_forms_fit_into_their_time():
    minutes = sum(form["minutes"] for form in long_forms.read())
    assert minutes <= long_forms.MINUTES_MAX


if "CAIRN_TEST_PHASES" in os.environ:
    # The runner asks when its run is over.
    def test_this_run_is_within_its_budgets():
        assert not calibration.excesses(calibration.read(os.environ["CAIRN_TEST_PHASES"]), BUDGETS)
