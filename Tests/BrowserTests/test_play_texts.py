"""The texts of the page in five languages: none is missing, and none names a value that the page does not give."""

import json
import pathlib
import re

import pytest

PLAY = pathlib.Path(__file__).resolve().parents[2] / "Sources/CairnPlay/Resources/play"
LANGUAGES = ("en", "es", "fr", "hi", "zh")
TEXTS = {name: json.loads((PLAY / "texts" / f"{name}.json").read_text()) for name in LANGUAGES}
SOURCES = {path: path.read_text() for path in sorted(PLAY.glob("js/**/*.js"))}


def values(text):
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_eachLanguage_hasEveryTextWithItsValues(language):
    texts = TEXTS[language]
    assert list(texts) == list(TEXTS["en"])
    assert [key for key, text in texts.items() if not text.strip()] == []
    assert [key for key, text in texts.items() if values(text) != values(TEXTS["en"][key])] == []


def test_everyTextThatTheCodeNames_isThere():
    named = {(key, path.name) for path, source in SOURCES.items() for key in re.findall(r'\bt\("([^"]+)"', source)}
    assert len(named) > 200
    assert [one for one in sorted(named) if one[0] not in TEXTS["en"]] == []


def test_everyText_isNamedByTheCode():
    whole = "\n".join(SOURCES.values())
    prefixes = set(re.findall(r"[`\"]([a-zA-Z]+(?:\.[a-zA-Z]+)*\.)\$\{", whole))
    quoted = set(re.findall(r'"([a-zA-Z0-9_.]+)"', whole))
    unused = [key for key in TEXTS["en"] if key not in quoted and not any(key.startswith(one) for one in prefixes)]
    assert unused == []


def test_sources_areSmallAndReadNoHTML():
    for path, source in SOURCES.items():
        assert source.count("\n") <= 400, path
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert word not in source, (path, word)
