"""Names that are free again, and names that are looked for by renaming (PRF-2, FRD-1)."""

import pytest

from accounts import MANY, PASSWORD, guest, person, sign_up
from test_live_space import refused


@pytest.fixture
def world(start):
    """A server without open sign-in."""
    return start(accounts__open="false", **MANY)


async def test_what_looks_like_a_freed_name_is_not_free_either(world):
    """PRF-2: after a new name and after a deletion."""
    bill, carol = await sign_up(world, "bill.o0"), await sign_up(world, "carol.lo")
    await bill.ask("editProfile", {"username": "somebody.else"})
    await carol.ask("deleteAccount", {"password": PASSWORD})
    client = await guest(world)
    for number, name in enumerate(("bill.o0", "biII.o0", "carol.lo", "caroI.Io")):
        body = {**person(f"alike{number}"), "username": name}
        await refused("username_taken", client.ask("signUp", body))
    # Its former owner may have it back.
    await bill.ask("editProfile", {"username": "biII.o0"})


async def test_names_are_not_found_by_renaming(start):
    """FRD-1: a new name counts as a search, whether it is taken or not."""
    server = start(accounts__open="false", accounts__searchesPerMinute=3, **MANY)
    ada, _ = await sign_up(server, "ada"), await sign_up(server, "bob")
    await ada.ask("editProfile", {"username": "countess"})
    for _ in range(2):
        await refused("username_taken", ada.ask("editProfile", {"username": "bob"}))
    assert (await refused("rate_limited", ada.ask("editProfile", {"username": "bob"}))).retry_after
    await refused("rate_limited", ada.ask("findUsers", {"prefix": "bob"}))
    await ada.ask("editProfile", {"username": "countess", "bio": "The same name is none."})
