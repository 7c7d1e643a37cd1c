"""What a name may be made of (ACC-5): what is shown can be told apart by those who read it."""

import pytest

from cairn import Client, Refused


@pytest.mark.parametrize("name", ["Ada\u3164", "Ada\u115f", "\uffa0Ada", "A\u034fda", "Ada\u200d"])
async def test_letters_that_are_not_drawn_are_refused(server, name):
    with pytest.raises(Refused) as refused:
        await Client.connect(server, name)
    assert refused.value.code == "invalid_username"


@pytest.mark.parametrize("name", ["Zoë", "Ñandú", "Дарья", "さくら", "נועה"])
async def test_letters_of_any_script_are_taken_and_shown_as_given(server, name):
    assert (await Client.connect(server, name)).welcome["name"] == name
