"""scripts/play-bundle: the page in few files whose names tell their content."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "Sources/CairnPlay/Resources"


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    """A copy of the page's sources, with libraries that are none, and the page built."""
    folder = tmp_path_factory.mktemp("page")
    for name in ("play", "cairn"):
        shutil.copytree(RESOURCES / name, folder / name)
    (folder / "lib").mkdir()
    for name, version in (("three", "three-r1"), ("leaflet", "leaflet-1.0")):
        (folder / f"lib/{name}.js").write_text(f"export * from './{version}.js';\n")
        (folder / f"lib/{version}.js").write_text("export const version = 1;\n")
    (folder / "lib/leaflet.css").write_text(".leaflet { background: url(images/layers.png) }\n")
    assert bundle(folder).returncode == 0
    return folder


@pytest.fixture
def folder(bundled, tmp_path):
    shutil.copytree(bundled, tmp_path / "page")
    return tmp_path / "page"


def bundle(folder):
    return subprocess.run([ROOT / "scripts/play-bundle", folder], capture_output=True, text=True)


def built(folder):
    """The folder that the document names."""
    document = (folder / "built/index.html").read_text()
    (name,) = set(re.findall(r"/play/built/([0-9a-f]{16})/", document))
    return folder / "built" / name


def test_all_modules_are_in_few_files_and_name_the_versions_of_libraries(folder):
    files = {path.name: path.read_text() for path in built(folder).glob("*.*") if path.suffix != ".br"}
    assert all((built(folder) / f"{name}.br").is_file() for name in files)
    assert {"main.js", "opening.js", "page.css", "people.js", "tours.js", "realm.js", "parts.js"} <= files.keys()
    assert len(files) < 25
    assert "url(/play/lib/images/layers.png)" in files["page.css"]
    everything = "".join(files.values())
    assert "/play/lib/leaflet-1.0.js" in everything and "/play/lib/three-r1.js" in everything
    assert "/play/lib/leaflet.js" not in everything and "@" + "/" not in everything.replace("/play/built/@", "?")
    # What is loaded later comes from a file that is there.
    assert set(re.findall(r"""import\(["'](\./[^"']+)["']\)""", everything)) == {"./main.js"}
    # Every module of the page is in a file, and parts.js says in which.
    modules = {str(path.relative_to(folder / "play/js").with_suffix("")) for path in (folder / "play/js").rglob("*.js")}
    named = set(re.findall(r'^  "([^"]+)":', files["parts.js"], re.MULTILINE))
    assert modules - named <= {"main", "opening", "features"}, modules - named
    assert all((built(folder) / f"{name}.js").is_file()
               for name in re.findall(r'": \["([^"]+)"', files["parts.js"]))


def test_an_edit_gives_the_files_another_folder_and_nothing_changed_leaves_them(folder):
    first, made = built(folder), (folder / "built").stat().st_mtime_ns
    assert bundle(folder).returncode == 0
    assert (folder / "built").stat().st_mtime_ns == made
    main = folder / "play/js/main.js"
    main.write_text(main.read_text() + "\nconsole.log('edited');\n")
    assert bundle(folder).returncode == 0
    assert built(folder) != first and not first.exists()
    assert "edited" in (built(folder) / "main.js").read_text()
    assert sorted(path.name for path in folder.iterdir()) == ["built", "cairn", "lib", "play"]


def test_a_source_that_cannot_be_built_is_named_and_what_was_built_stays(folder):
    first = built(folder)
    (folder / "play/js/core/view.js").write_text("export const = 1;\n")
    failed = bundle(folder)
    assert failed.returncode == 1 and "core/view.js" in failed.stderr
    assert built(folder) == first and (first / "main.js").is_file()
