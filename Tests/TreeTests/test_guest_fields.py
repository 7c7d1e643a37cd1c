"""What guests who look are told of an instance, field by field (SES-14).

A field that is added to one of these messages reaches guests. Say here what it tells them, and take it out in
`FeatureRegister.asGuestsSee` or `Feature.coarsen` if it tells of somebody, or of a time more exactly than the hour.
"""

import pathlib
import re

import pytest

PROTO = pathlib.Path(__file__).resolve().parents[2] / "proto/cairn/v1"

#: Taken out or rounded for guests.
TAKEN, HOUR = "taken out", "the hour"
#: Public: everybody near by reads it, and it names nobody.
PUBLIC = "public"
#: Nobody is told.
EMPTY = "empty"

FIELDS = {
    "Instance": {
        "id": PUBLIC, "object": PUBLIC, "placer": TAKEN, "created": TAKEN, "version": PUBLIC, "pose": PUBLIC,
        "cell": PUBLIC, "reactions": PUBLIC, "text": PUBLIC, "data": PUBLIC, "post": PUBLIC, "realms": TAKEN,
    },
    "Post": {
        "place": PUBLIC, "created": HOUR, "edited": HOUR, "expires": HOUR, "score": PUBLIC, "size": PUBLIC,
        "reach": PUBLIC, "hidden": PUBLIC, "editable_until": TAKEN,
    },
    "Entered": {"instance": PUBLIC, "moved_from": EMPTY},
    "Changed": {"instance": PUBLIC, "version": PUBLIC, "pose": PUBLIC, "text": PUBLIC, "data": PUBLIC},
    "Left": {"instance": PUBLIC},
    "MovedOut": {"instance": PUBLIC, "version": PUBLIC, "cell": EMPTY},
    "Reacted": {"instance": PUBLIC, "reactions": PUBLIC},
    "PostChanged": {"post": PUBLIC, "version": PUBLIC, "text": PUBLIC, "edited": HOUR},
    "Voted": {"post": PUBLIC, "score": PUBLIC, "size": PUBLIC, "reach": PUBLIC, "hidden": PUBLIC},
    "Selected": {"instance": PUBLIC, "placer_name": TAKEN, "own_reaction": TAKEN, "actions": TAKEN},
    "PostRead": {"post": PUBLIC, "own_vote": TAKEN, "actions": TAKEN, "author_name": TAKEN},
}  # fmt: skip


def fields(message):
    text = "\n".join(path.read_text() for path in sorted(PROTO.glob("*.proto")))
    body = re.search(rf"^message {message} {{$(.*?)^}}$", text, re.M | re.S)[1]
    return set(re.findall(r"^  +(?:repeated |optional )?[\w.]+ (\w+) = \d+", body, re.M))


@pytest.mark.parametrize("message", FIELDS)
def test_every_field_that_guests_are_sent_is_decided(message):
    assert fields(message) == set(FIELDS[message])
