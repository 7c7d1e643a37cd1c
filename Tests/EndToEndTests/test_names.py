"""The characters of names and the comparison of names (ACC-1, ACC-5; docs/decisions/0013)."""

import asyncio
import sqlite3

import pytest

from cairn import Client, Refused
from server import run


async def code_of(server, name):
    """The account of a name, or the code of the refusal."""
    try:
        return (await Client.connect(server, name)).welcome["account"]
    except Refused as refused:
        assert refused.details == {"field": "name"}
        return refused.code


@pytest.mark.parametrize("name", ["Ada\u3164", "Ada\u115f", "\uffa0Ada", "A\u034fda", "Ada\u200d"])
async def test_letters_that_are_not_drawn_are_refused(server, name):
    with pytest.raises(Refused) as refused:
        await Client.connect(server, name)
    assert refused.value.code == "invalid_username"


@pytest.mark.parametrize("name", ["\ufb01rst", "henry\u2163", "\u265ada", "\u0301Ada", "ada\u05d0", "foo bar"])
async def test_other_forms_of_letters_and_mixed_directions_are_refused(server, name):
    assert await code_of(server, name) == "invalid_username"


@pytest.mark.parametrize("name", ["Zoë", "Zoe\u0308la", "Ñandú", "Дарья", "さくら", "נועה", "प्रियांशी", "ＭａＲａ"])
async def test_letters_of_any_script_are_taken_and_shown_as_given(server, name):
    assert (await Client.connect(server, name)).welcome["name"] == name


@pytest.mark.parametrize(
    "taken, alike",
    [
        ("paypal", ["p\u0430ypal", "PaypaI", "paypa1", "P\u0410YPAL"]),
        ("scope", ["\u0455\u0441\u043e\u0440\u0435"]),
        ("Modern", ["rnodern", "Мodern"]),
        ("Zo\u00ebs", ["Zo\u0435\u0308s"]),
    ],
)
async def test_a_name_that_looks_like_anothers_is_refused(server, taken, alike):
    account = await code_of(server, taken)
    assert len(account) == 13
    assert [await code_of(server, name) for name in alike] == ["username_taken"] * len(alike)
    assert await code_of(server, taken) == account


@pytest.mark.parametrize(
    "first, other", [("Grace", "ＧＲＡＣＥ"), ("Ren\u00e9", "RENE\u0301"), ("ΟΔΥΣΣΕΥΣ", "οδυσσευσ"), ("Linus", "LINUS")]
)
async def test_a_name_in_another_case_width_or_spelling_is_the_same_account(server, first, other):
    one = await Client.connect(server, first)
    again = await Client.connect(server, other)
    assert again.welcome["account"] == one.welcome["account"] and again.welcome["name"] == first


async def test_of_two_names_that_look_alike_at_once_one_is_taken(server):
    for number in range(8):
        pair = [f"racer{number}a", f"r\u0430cer{number}a"]
        found = await asyncio.gather(*(code_of(server, name) for name in pair * 4))
        assert found.count("username_taken") == 4 and len(set(found)) == 2, found


async def test_names_of_a_world_of_before_are_found_and_looked_at(start, old_world):
    folder, was = old_world
    server = start(folder=folder, accounts__tokenDays=3_650)
    by_token = await Client.connect(server, token=was["token"])
    assert await code_of(server, "ada") == by_token.welcome["account"]
    assert await code_of(server, "\u0410d\u0430") == "username_taken"
    assert await code_of(server, "Вob") == "username_taken"
    server.logged("what 2 of them look like was noted")
    server.stop()
    noted = len(server.log())
    server = start(folder=folder, accounts__tokenDays=3_650)
    assert await code_of(server, "ADA") == by_token.welcome["account"]
    assert "look like was noted" not in server.log()[noted:], "once"
    world = ["--set", f"storage.path={folder}", "--set", f"storage.keyFile={folder}.key"]
    server.stop()
    told = run("verify", *world)
    assert told.returncode == 0, told.stdout + told.stderr


async def test_a_print_that_was_moved_to_another_account_is_found_by_verify(start, tmp_path):
    server = start()
    for name in ("Ada", "Bob"):
        await Client.connect(server, name)
    server.stop()
    world = ["--set", f"storage.path={tmp_path}/data", "--set", f"storage.keyFile={tmp_path}/data.key"]
    assert run("verify", *world).returncode == 0
    with sqlite3.connect(tmp_path / "data/cairn.sqlite") as database:
        one, other = [row[0] for row in database.execute("SELECT id FROM accounts ORDER BY id")]
        database.execute("UPDATE name_skeletons SET account = ? WHERE account = ?", (other, one))
    database.close()
    told = run("verify", *world)
    assert told.returncode == 1 and "name_skeletons" in told.stdout + told.stderr
    server = start()
    # The name is refused and not given to another account: the fingerprint in this row belongs to another row.
    assert await code_of(server, "\u0410d\u0430") == "username_taken"
