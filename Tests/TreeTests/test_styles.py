"""The styles of the page for players are drawn mirrored where writing goes from right to left: sides are named by the
direction of writing. What stands for a direction in the world, on the map or in the picture, stays where it is."""

import pathlib
import re

PLAY = pathlib.Path(__file__).resolve().parents[2] / "Sources/CairnPlay/Resources/play"
STYLES = sorted(PLAY.glob("css/*.css"))

RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
#: A side by its place on the screen.
SIDE = re.compile(
    r"(?<![\w-])(?:(?:(?:scroll-)?(?:margin|padding)-|border-(?:top-|bottom-)?)?(?:left|right)(?:-[\w-]+)?|float|clear)"
    r"\s*:"
    r"|text-align\s*:\s*(?:left|right)\b")
#: Four values: above, right, below, left.
FOUR = re.compile(r"(?<![\w-])(?:margin|padding|inset|border-width|border-color|border-style)\s*:\s*([^;]+)")
#: Places in the world, by pixels or by the compass: on the map, and in the picture of the Realm.
OF_THE_WORLD = re.compile(r"\.(?:mark-name|beside|own-cone|label|edge)\b")


def values(text):
    """The values of a shorthand; spaces within brackets part none."""
    return re.findall(r"(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+", text)


def sides(source):
    """What names a side by its place on the screen: selector and declaration."""
    found = []
    for selector, body in RULE.findall(COMMENT.sub("", source)):
        if OF_THE_WORLD.search(selector):
            continue
        found += [(selector.strip(), one) for one in SIDE.findall(body)]
        for four in FOUR.findall(body):
            parts = values(four)
            if len(parts) == 4 and parts[1] != parts[3]:
                found.append((selector.strip(), four))
    return found


def test_aSideOfTheScreen_isFound():
    for body in ("left: 0", "margin-left: 1px", "border-right-color: red", "text-align: right", "float: left",
                 "inset: 0 auto 0 0", "padding: 1px calc(1px + 2px) 1px 0"):
        assert len(sides(f".a {{ {body}; }}")) == 1, body
    for body in ("inset-inline-start: 0", "text-align: start", "inset: 0 1px 0 1px", "padding: 1px 2px",
                 "justify-content: left-over; inset: 0 var(--a, 0px) 0 var(--a, 0px)"):
        assert sides(f".a {{ {body}; }}") == [], body
    assert sides(".mark-name { left: 0; }") == []


def test_noStyle_namesASideOfTheScreen():
    assert len(STYLES) >= 3
    assert [(path.name, *one) for path in STYLES for one in sides(path.read_text())] == []


def test_noScript_namesASideOfTheScreen():
    named = re.compile(r"\.style\.(?:left|right|margin(?:Left|Right)|padding(?:Left|Right))\b|(?:left|right): ?\$\{")
    scripts = sorted(PLAY.glob("js/**/*.js"))
    assert len(scripts) > 100
    assert [path.name for path in scripts if named.search(path.read_text())] == []
