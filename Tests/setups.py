"""Marks in the xUnit XML which tests failed by one and the same setup.

A fixture of a module fails once: pytest raises its exception again for each test that needs it. A fixture that is set
up for each test fails anew for each, even where it says the same.
"""

import itertools
import os

#: The property of a test; its value names what failed, in this run.
PROPERTY = "failed-setup"
_numbers = itertools.count()


def pytest_runtest_makereport(item, call):
    """Comes before pytest's own, which makes the report with the properties."""
    if call.when == "setup" and call.excinfo is not None:
        error = call.excinfo.value
        if not hasattr(error, "failed_setup"):
            # Workers are processes.
            error.failed_setup = f"{os.getpid()}-{next(_numbers)}"
        item.user_properties.append((PROPERTY, error.failed_setup))
