"""Recorded audio of tours: AAC in MP4 is taken and given away without what tells of people and places (TRM-5, CMP-5).

`recording.m4a` is a quarter of a second of a tone, with the tags of a phone:

    ffmpeg -f lavfi -i sine=frequency=440:duration=0.25 -ac 1 -ar 22050 -c:a aac -b:a 24k \
        -metadata title="Eve at home" -metadata location=+45.5000-073.5700/ \
        -metadata:s:a handler_name="Eve's phone" recording.m4a

`recording-fragments.m4a` is a second of it as a browser records it, piece by piece:

    ffmpeg -f lavfi -i sine=frequency=440:duration=1 -ac 1 -ar 22050 -c:a aac -b:a 24k \
        -metadata title="Eve at home" -metadata:s:a handler_name="Eve's phone" \
        -movflags frag_keyframe+empty_moov+default_base_moof -frag_duration 250000 recording-fragments.m4a
"""

import pathlib

from accounts import sign_up
from pictures import fetch, upload
from test_live_space import refused
from test_tours import makers, published, world  # noqa: F401

RECORDING = pathlib.Path(__file__).with_name("recording.m4a")
FRAGMENTS = pathlib.Path(__file__).with_name("recording-fragments.m4a")


async def test_a_recording_of_a_phone_is_heard_without_its_tags(world):  # noqa: F811
    _, ada = await makers(world, "ada")
    eve = await sign_up(world, "eve")
    sent = RECORDING.read_bytes()
    assert b"Eve's phone" in sent and b"Eve at home" in sent and b"+45.5000-073.5700/" in sent
    asset = await upload(ada, sent)
    name = {"words": [{"language": "en", "text": "Walls", "audio": asset}]}
    tour = await published(ada, name=name)
    told = await eve.ask("getAsset", {"asset": asset, "tour": tour})
    assert told["contentType"] == "audio/mp4"
    status, headers, got = fetch(world, told["path"])
    assert (status, headers["content-type"], len(got)) == (200, "audio/mp4", int(told["length"]))
    assert headers["content-disposition"] == 'inline; filename="asset.m4a"'
    for secret in (b"Eve", b"45.5", b"udta", b"Lavf"):
        assert secret not in got, secret
    # Its samples are one behind the other at the end, where the table of chunks says.
    place = got.index(b"stco") + 12
    start = int.from_bytes(got[place : place + 4], "big")
    assert got[start - 4 : start] == b"mdat"
    length = int.from_bytes(sent[sent.index(b"mdat") - 4 :][:4], "big")
    # What an encoder writes among the sound itself, its own name, is no box: it stays.
    assert len(got) - start == length - 8


def boxes(data):
    """Name and content of the boxes of a file."""
    place = 0
    while place < len(data):
        size = int.from_bytes(data[place : place + 4], "big")
        yield data[place + 4 : place + 8], data[place + 8 : place + size]
        place += size


async def test_a_recording_in_fragments_is_one_piece_afterwards(world):  # noqa: F811
    """TRM-5: as browsers record AAC. Each sample is there, in order; what tells of a person is not."""
    _, ada = await makers(world, "ada")
    sent = FRAGMENTS.read_bytes()
    assert sent.count(b"moof") > 2 and b"Eve's phone" in sent
    asset = await upload(ada, sent)
    told = await ada.ask("getAsset", {"asset": asset})
    assert told["contentType"] == "audio/mp4"
    _, _, got = fetch(world, told["path"])
    sound = [b"".join(content for kind, content in boxes(data) if kind == b"mdat") for data in (sent, got)]
    assert sound[0] == sound[1] and len(sound[0]) > 1_000
    assert [kind for kind, _ in boxes(got)] == [b"ftyp", b"moov", b"mdat"]
    for secret in (b"Eve", b"udta", b"Lavf", b"mvex"):
        assert secret not in got, secret


async def test_what_is_no_recording_is_refused(world):  # noqa: F811
    """Cut off, with hostile numbers, and with other things in such boxes."""
    _, ada, bob = await makers(world, "ada", "bob")
    sent = RECORDING.read_bytes()
    wrong = [sent[: len(sent) // 2], sent[:40]]
    for table in (b"stsz", b"stco", b"stsc", b"stts"):
        place = sent.index(table) + (12 if table == b"stsz" else 8)
        wrong.append(sent[:place] + b"\xff\xff\xff\xff" + sent[place + 4 :])
    sent = FRAGMENTS.read_bytes()
    for table, field in ((b"trun", 8), (b"trex", 8)):
        place = sent.index(table) + field
        wrong.append(sent[:place] + b"\xff\xff\xff\xff" + sent[place + 4 :])
    wrong += [sent[: len(sent) // 2], sent.replace(b"moof", b"free")]
    for number, data in enumerate(wrong):  # ten that fail in an hour are the bound of an account
        await refused("asset_corrupt", upload((ada, bob)[number % 2], data))
    # Sound in another coding, a film and a photograph in such boxes are of no known type, and not damaged.
    sent = RECORDING.read_bytes()
    photograph = b"\0\0\0\x18ftypheic" + bytes(200)
    for other in (sent.replace(b"mp4a", b"alac"), sent.replace(b"soun", b"vide"), photograph):
        assert (await refused("invalid_field", upload(ada, other))).details == {"field": "type"}
