"""The times of issue 32, section 3, on slow networks. Beside other work they say how busy the machine is, and so they
are no part of `make test`: `make test-long` compares them with the limits, and `scripts/time-visits` prints them.
"""

import os

import pytest

import visits
from server import is_optimized

RUNS = int(os.environ.get("CAIRN_VISITS", "1"))


@pytest.mark.alone
@pytest.mark.soak
@pytest.mark.seconds(200)
@pytest.mark.parametrize("network", visits.NETWORKS)
async def test_visits_onASlowNetwork_areAsQuickAsTheIssueAsks(start, network):
    assert is_optimized(), "the limits are those of a server that is shipped"
    server = start(guests__look=None)
    await visits.furnished(server)
    found = await visits.medians(server, visits.NETWORKS[network][0], RUNS, print)
    assert visits.beyond(network, found) == []
