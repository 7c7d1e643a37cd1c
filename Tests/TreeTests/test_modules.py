"""Which modules of the browser import which: no circle, nothing upward, no large file, one component of each sort.

The modules are those of the page for players, of cairn.js, and of the operators' pages. docs/play.md says what the
folders of the page are.
"""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLAY = "Sources/CairnPlay/Resources/play"
CAIRN = "Sources/CairnPlay/Resources/cairn"
OPERATORS = "Sources/CairnOperators"
LINES_MAX = 400

#: A string, or a comment, which a string may look like and the other way round; then what imports.
TOKEN = re.compile(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|//[^\n]*|/\*.*?\*/""", re.DOTALL)
IMPORT = re.compile(r"""(?:\b(?:import|export)\b[^"'();]*?\bfrom|\bimport|\bimport\()\s*["']([^"']+)["']""")

#: Files at the top of the page, by what they may import of it; `sw.js` and `opening.js` begin by themselves.
TOP = {"main.js": ("core", "components", "frame", "features.js"), "opening.js": ("main.js",)}
#: Folders below the features, by the folders that they may import.
BELOW = {"core": ("core",), "components": ("core", "components"), "frame": ("core", "components", "frame")}

#: What components alone write, by the component: others call it.
PARTS = {
    "list.js": r'"plain-list|class: "line"|line-title|class: "tabs"|class: "person"|class: "portrait"',
    "card.js": r'class: "card|make\("summary"',
    "form.js": r'make\("form"|type: "range"|class: "field|class: "check"|class: "slider"',
    "dialog.js": r'make\("dialog"',
    "message.js": r'class: .toast|class: "refusal"',
    "marker.js": r"divIcon|class: .mark\b",
    "sheet.js": r'at\("sheet"\)',
}  # fmt: skip


def without_comments(source):
    return TOKEN.sub(lambda found: found[1] or " ", source)


def modules(root):
    """The text of every module, without comments, by its path from the root."""
    folders = [root / PLAY, root / CAIRN, *sorted((root / OPERATORS).glob("*/Resources"))]
    return {path.relative_to(root).as_posix(): without_comments(path.read_text())
            for folder in folders for path in sorted(folder.rglob("*.js"))}


def target_of(path, name, known):
    """The module that a name leads to from a path, in the tree or by its address on the server; None = none of ours."""
    if name.startswith("/"):
        _, place, *rest = name.split("/")
        page = {"console": f"{OPERATORS}/Console/Resources", "account": f"{OPERATORS}/Account/Resources",
                "play": PLAY}.get(place)
        found = f"{page}/{'/'.join(rest)}"
    else:
        parts = path.split("/")[:-1]
        for part in name.split("/"):
            if part == "..":
                parts.pop()
            elif part != ".":
                parts.append(part)
        found = "/".join(parts)
    # The server has cairn.js below the page, the tree beside it.
    found = found.replace(f"{PLAY}/cairn/", f"{CAIRN}/")
    return found if found in known else None


def graph(texts):
    """What each module imports, at once or later."""
    return {path: {target for name in IMPORT.findall(text) if (target := target_of(path, name, texts))}
            for path, text in texts.items()}


def circle(imports):
    """A circle of modules that import one another, if there is one."""
    done, way = set(), []

    def visit(path):
        if path in way:
            return way[way.index(path):] + [path]
        if path in done:
            return None
        way.append(path)
        for target in sorted(imports[path]):
            if found := visit(target):
                return found
        done.add(way.pop())
        return None

    for path in sorted(imports):
        if found := visit(path):
            return found
    return None


def upward(imports):
    """The imports of the page's modules that lead upward: from what all share to features, from features to what has
    them all."""
    found = []
    for path, targets in imports.items():
        if not path.startswith(f"{PLAY}/js/"):
            continue
        folder, *rest = path.removeprefix(f"{PLAY}/js/").split("/")
        for target in targets:
            if target.startswith(f"{CAIRN}/"):
                continue
            part, *of_part = target.removeprefix(f"{PLAY}/js/").split("/")
            if folder == "features.js":
                isAllowed = of_part == ["feature.js"]
            elif not rest:
                isAllowed = part in TOP[folder]
            elif folder in BELOW:
                isAllowed = part in BELOW[folder]
            else:
                # A feature may use another one, but not what that gives to the register.
                isAllowed = bool(of_part) and part != "frame" and (of_part != ["feature.js"])
            if not isAllowed:
                found.append((path, target))
    return found


def large(root, texts):
    """Modules with too many lines; made ones are as long as what they are made from."""
    return [path for path in texts
            if (whole := (root / path).read_text()).count("\n") > LINES_MAX and "Made by scripts/" not in whole[:200]]


TEXTS = modules(ROOT)
IMPORTS = graph(TEXTS)


def test_the_modules_are_found_with_what_they_import():
    assert len(TEXTS) > 150 and sum(map(len, IMPORTS.values())) > 400
    assert f"{CAIRN}/client.js" in IMPORTS[f"{PLAY}/js/core/app.js"]
    # What is imported later is imported.
    assert f"{PLAY}/js/realm/realm.js" in IMPORTS[f"{PLAY}/js/realm/feature.js"]
    assert f"{OPERATORS}/Account/Resources/pages.js" in IMPORTS[f"{OPERATORS}/Account/Resources/help.js"]


def test_every_relative_import_leads_to_a_module():
    assert [(path, name) for path, text in TEXTS.items() for name in IMPORT.findall(text)
            if name.startswith(".") and not target_of(path, name, TEXTS)] == []


def test_no_modules_import_one_another_in_a_circle():
    assert circle(IMPORTS) is None


def test_nothing_imports_what_is_above_it():
    assert upward(IMPORTS) == []


def test_no_module_is_large():
    assert large(ROOT, TEXTS) == []


def test_every_feature_is_one_line_of_the_register():
    folders = {path.parent.name for path in (ROOT / PLAY / "js").glob("*/feature.js")}
    lines = re.findall(r'^export \{ (\w+) \} from "\./(\w+)/feature\.js";$',
                       (ROOT / PLAY / "js/features.js").read_text(), re.MULTILINE)
    assert lines == [(name, name) for name in sorted(folders)]
    # Each folder is a feature, or below them.
    assert {path.name for path in (ROOT / PLAY / "js").iterdir() if path.is_dir()} == folders | set(BELOW)


@pytest.mark.parametrize("component", PARTS)
def test_a_part_of_the_page_is_written_by_its_component_alone(component):
    """WEB-16: one component each, used everywhere."""
    found = {path for path, text in TEXTS.items()
             if path.startswith(f"{PLAY}/js/") and re.search(PARTS[component], text)}
    assert {path for path in found if not path.startswith(f"{PLAY}/js/components/")} == set()
    assert f"{PLAY}/js/components/{component}" in found
    users = [path for path, targets in IMPORTS.items() if f"{PLAY}/js/components/{component}" in targets]
    assert len([path for path in users if "/components/" not in path]) > 1


def test_what_waits_for_an_answer_waits_by_one_function():
    """A button or a field does so by `act`, which answers where it is. The microphone asks the device alone."""
    waiting = {path for path, text in TEXTS.items()
               if path.startswith(f"{PLAY}/js/") and re.search(r"\bon(?:click|change|submit): async", text)}
    assert len(waiting) > 3
    assert {path for path in waiting if not re.search(r"\bact\(", TEXTS[path])} == {f"{PLAY}/js/tours/microphone.js"}


# MARK: - The rules find what breaks them


def tree(folder, files):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    texts = modules(folder)
    return texts, graph(texts)


def test_a_circle_is_found_also_one_that_closes_later(tmp_path):
    files = {f"{PLAY}/js/core/a.js": 'import { b } from "./b.js";\n',
             f"{PLAY}/js/core/b.js": "export { c } from './c.js';\n",
             f"{PLAY}/js/core/c.js": 'export const c = () => import("./a.js");\n'}
    found = circle(tree(tmp_path, files)[1])
    assert [path.split("/")[-1] for path in found] == ["a.js", "b.js", "c.js", "a.js"]
    # Neither a comment nor the name of a type is an import.
    files[f"{PLAY}/js/core/c.js"] = '/** @type {import("./a.js").A} */\n// import "./a.js"\nexport const c = "//";\n'
    assert circle(tree(tmp_path, files)[1]) is None


def test_a_circle_over_addresses_of_the_server_is_found(tmp_path):
    where = f"{OPERATORS}/Console/Resources"
    files = {f"{where}/a.js": 'import "/console/b.js";\n', f"{where}/b.js": 'import {\n  a,\n} from "./a.js";\n'}
    assert circle(tree(tmp_path, files)[1])


@pytest.mark.parametrize("path, name", [
    ("core/a.js", "../components/a.js"), ("components/a.js", "../map/a.js"), ("map/a.js", "../main.js"),
    ("map/a.js", "../features.js"), ("map/a.js", "../tours/feature.js"), ("map/a.js", "../frame/a.js"),
    ("main.js", "./map/a.js"), ("features.js", "./map/a.js"), ("frame/a.js", "../map/a.js"),
])  # fmt: skip
def test_an_import_upward_is_found(tmp_path, path, name):
    target = f"{PLAY}/js/{name.replace('../', '').replace('./', '')}"
    files = {f"{PLAY}/js/{path}": f'import "{name}";\n', target: ""}
    assert upward(tree(tmp_path, files)[1]) == [(f"{PLAY}/js/{path}", target)]


def test_a_large_module_is_found_unless_it_is_made(tmp_path):
    path, made = f"{PLAY}/js/core/a.js", f"{CAIRN}/b.js"
    texts, _ = tree(tmp_path, {path: "\n" * 401, made: "// Made by scripts/x\n" + "\n" * 401})
    assert large(tmp_path, texts) == [path]
