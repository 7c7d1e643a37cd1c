"""The fixtures of the tests of the page /play in a browser. See also the conftest.py above."""

import pytest


@pytest.fixture
def world(start):
    """A server whose people sign up, and where a name alone signs in, too."""
    return start(accounts__open="true", accounts__signUpsPerHour=1000)
