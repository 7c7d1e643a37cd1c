"""The texts of the page in five languages, of each feature in its folder: none is missing or unused, none names a value
that the page does not give, and no feature needs those of another."""

import collections
import json
import pathlib
import re

import pytest

PLAY = pathlib.Path(__file__).resolve().parents[2] / "Sources/CairnPlay/Resources/play"
LANGUAGES = ("en", "es", "fr", "hi", "zh")
#: Folders below the features, and the scripts beside them, by the folders whose texts they may name.
BELOW = {"core": ("core",), "components": ("core", "components"), "frame": ("core", "components", "frame"),
         "main.js": ("core", "components", "frame")}


def served(language):
    """The texts of a language as the server gives them: those of every folder, by its name."""
    return {path.parent.parent.name: json.loads(path.read_text())
            for path in sorted(PLAY.glob(f"js/*/texts/{language}.json"))}


def values(text):
    return set(re.findall(r"\{(\w+)\}", text))


#: Each folder's texts, by language.
TEXTS = {language: served(language) for language in LANGUAGES}
#: The folder of each text; one that two folders have is one of both.
OWNERS = {key: folder for folder, texts in TEXTS["en"].items() for key in texts}
SOURCES = {path: path.read_text() for path in sorted(PLAY.glob("js/**/*.js"))}
#: What each folder's modules say: whole names of texts, the beginnings of those that are put together, and all words.
QUOTED, BEGUN, WORDS = collections.defaultdict(set), set(), set()
#: Beginnings of texts whose rest the server says.
OF_THE_SERVER = ("remedy.", "refusal.", "client.", "password.", "organisation.", "feedback.kind.")
for where, source in SOURCES.items():
    QUOTED[where.relative_to(PLAY / "js").parts[0]] |= set(re.findall(r'"([a-zA-Z0-9_.]+)"', source))
    BEGUN |= set(re.findall(r"[`\"]([a-zA-Z]+(?:\.[a-zA-Z]+)*\.)\$\{", source))
    WORDS |= set(re.findall(r"\w+(?:\.\w+)*", source)) | set(re.findall(r"\w+", source))


def is_put_together(key):
    """Whether a text is named by a beginning that the code has, and a rest that the code or the server says."""
    return any(key.startswith(one) and (one in OF_THE_SERVER or key.removeprefix(one) in WORDS) for one in BEGUN)


def test_textsAreThoseOfFolders_andNoTwoHaveTheSame():
    files = {path.relative_to(PLAY).as_posix() for path in PLAY.rglob("*.json")}
    assert files == {f"js/{folder}/texts/{language}.json" for folder in TEXTS["en"] for language in LANGUAGES}
    assert set(TEXTS["en"]) > set(BELOW) - {"main.js"}
    keys = [key for texts in TEXTS["en"].values() for key in texts]
    assert [key for key, count in collections.Counter(keys).items() if count > 1] == []


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_eachLanguage_hasEveryTextWithItsValues(language):
    for folder, english in TEXTS["en"].items():
        texts = TEXTS[language][folder]
        assert list(texts) == list(english), folder
        assert [key for key, text in texts.items() if not text.strip()] == []
        assert [key for key, text in texts.items() if values(text) != values(english[key])] == []
        # What is said where there is a keyboard alone stands in brackets.
        assert [key for key, text in texts.items() if [one for one in text if one in "[]"]
                != [one for one in english[key] if one in "[]"]] == []


def test_everyTextThatTheCodeNames_isThere():
    named = {(key, path.name) for path, source in SOURCES.items() for key in re.findall(r'\bt\("([^"]+)"', source)}
    assert len(named) > 200
    assert [one for one in sorted(named) if one[0] not in OWNERS] == []


def test_everyText_isNamed_andThatOfAFeatureByItAlone():
    """What features share is named by two at least. A name that is put together may be put together elsewhere."""
    users = {key: {folder for folder, words in QUOTED.items() if key in words} for key in OWNERS}
    assert [key for key, folders in users.items() if not folders and not is_put_together(key)] == []
    assert [key for key, owner in OWNERS.items()
            if users[key] and owner not in BELOW and users[key] != {owner}] == []
    assert [key for key, owner in OWNERS.items() if owner in BELOW and not is_put_together(key)
            and len(users[key]) == 1 and not users[key] & set(BELOW)] == []


def test_noFolder_namesTextsOfOneAboveOrBesideIt():
    found = []
    for path, source in SOURCES.items():
        folder = path.relative_to(PLAY / "js").parts[0]
        mine = BELOW.get(folder, ("core", "components", folder))
        found += [(path.name, key) for key in re.findall(r'\bt\(\s*"([^"]+)"', source) if OWNERS.get(key) not in mine]
    assert found == []


def test_whatAFeatureGives_isCalledByTextsOfItsFolder_orOfAll():
    """`place.NAME`, `profile.SECTION`, `notified.KIND`: a new feature brings them along."""
    found = 0
    for path in PLAY.glob("js/*/feature.js"):
        source, folder = path.read_text(), path.parent.name
        places = [f"place.{one}" for one in re.findall(r'\bplace: \{\s*name: "(\w+)"', source)]
        sections = [f"profile.{one}" for one in re.findall(r"\b(\w+): \{\s*rank: \d+,\s*who:", source)]
        notices = re.search(r"\bnotices: \{(.*?)\n  \}", source, re.DOTALL)
        notices = [f"notified.{one}" for one in re.findall(r"\b(\w+): (?:\{|notice\()", notices[1] if notices else "")]
        for key in [*places, *sections, *notices]:
            assert OWNERS.get(key) in (folder, "core"), (folder, key)
            found += 1
    assert found > 40


def test_sources_areSmallAndReadNoHTML():
    for path, source in SOURCES.items():
        assert source.count("\n") <= 400, path
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert word not in source, (path, word)
