"""scripts/compare-contract: what our file of requirements says otherwise than the contract is listed, row by row."""

import importlib.machinery
import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: The contract's form: references to its sources, full stops, and rows about the page without a column of the client.
CONTRACT = """
| Term | Meaning |
|---|---|
| Kite | Flies on a line. |

## 3. Kites (KIT)
| ID | Seed refs | What the server must do | Client-only part |
|---|---|---|---|
| KIT-1 | Outline; KIT §2 | Fly kites up to 20 m (default, configurable). | Holding the line. |
| KIT-2 | Outline | Land them: `no_wind`. | None. |

## 37b. What a page must show (WEB)
| ID | Seed refs | What a person sees |
|---|---|---|
| WEB-1 | Outline | Kites. |

| Area | Defaults |
|---|---|
| Kites | 20 m |

| Area | Codes |
|---|---|
| Kites | `no_wind` |

| Source id | Rows |
|---|---|
| KIT-9 | KIT-1 |
"""
#: The same in our form.
OURS = """
| Term | Meaning |
|---|---|
| Kite | Flies on a line. |

## Kites (KIT)
| ID | What the server must do | Client | State |
|---|---|---|---|
| KIT-1 | Fly kites up to 20 m (default, configurable). | Holding the line | works. Tests: kite_flies |
| KIT-2 | Land them: `no_wind`. | None | not yet |

## What a page must show (WEB)
| ID | What a person sees | Client | State |
|---|---|---|---|
| WEB-1 | Kites. | All of it | not yet |

| Area | Defaults |
|---|---|
| Kites | 20 m |

| Area | Codes |
|---|---|
| Kites | `no_wind` |
"""


@pytest.fixture(scope="module")
def program():
    """The script, as a module: a process for each comparison would take longer than all of them."""
    loader = importlib.machinery.SourceFileLoader("compare_contract", str(ROOT / "scripts/compare-contract"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare_contract", loader))
    loader.exec_module(module)
    return module


@pytest.fixture
def run(program, capsys):
    """Runs it: exit code, and what it has said on stdout and on stderr."""

    def ended(*arguments):
        try:
            code = program.main([str(one) for one in arguments])
        except SystemExit as exit:
            code = exit.code
        return code, *capsys.readouterr()

    return ended


@pytest.fixture
def compared(run, tmp_path):
    """Compares the contract with our file, in which something has another text."""

    def compare(old="", new=""):
        assert old in OURS
        for name, text in (("contract.md", CONTRACT), ("ours.md", OURS.replace(old, new))):
            (tmp_path / name).write_text(text)
        code, said, error = run(tmp_path / "contract.md", tmp_path / "ours.md")
        return code, said.replace(f"{tmp_path}/", "").splitlines(), error

    return compare


def test_files_that_say_the_same_in_their_own_forms_are_the_same(compared):
    assert compared() == (0, ["3 rows are the same in both"], "")


@pytest.mark.parametrize("old, new, told", [
    ("up to 20 m", "up to 30 m", "KIT-1: the text differs: contract ...Fly kites up to 20 m"),
    ("Holding the line", "Nothing", "KIT-1: the client differs: contract ...Holding the line..., here ...Nothing..."),
    ("| KIT-2 | Land them: `no_wind`. | None | not yet |\n", "", "KIT-2: missing here"),
    ("| KIT-2 |", "| KIT-3 |", "KIT-2: missing here\nKIT-3: extra here"),
    ("| KIT-2 |", "| KIT-1 |", "KIT-1: stands twice in ours.md\nKIT-2: missing here"),
    ("| Kites. |", "| Gliders. |", "WEB-1: the text differs: contract ...Kites...."),
    ("on a line", "on a string", "term Kite: the text differs: contract ...Flies on a line"),
    ("| Kites | 20 m |", "| Kites | 30 m |", "defaults of Kites: the text differs: contract ...20 m"),
    ("| Kites | `no_wind` |", "| Gliders | `no_wind` |", "codes of Kites: missing here\ncodes of Gliders: extra here"),
])  # fmt: skip
def test_a_row_that_is_missing_extra_or_differs_is_named(compared, old, new, told):
    code, lines, error = compared(old, new)
    assert (code, error, len(lines)) == (1, "", len(told.splitlines())), lines
    assert all(line.startswith(start) for line, start in zip(lines, told.splitlines(), strict=True)), lines


def test_a_state_is_our_own(compared):
    assert compared("not yet", "works. Tests: kite_lands")[0] == 0


def test_what_has_no_rows_is_refused(run, tmp_path):
    (tmp_path / "other.md").write_text("# Another file\n")
    for arguments in ([], [tmp_path / "none.md"], [tmp_path / "other.md"], ["--help"]):
        code, said, error = run(*arguments)
        assert code == 2 and error and not said, arguments


def test_all_rows_of_our_file_are_read(run):
    code, said, error = run(ROOT / "docs/requirements.md")
    assert code == 0 and int(said.split()[0]) > 300, said + error
