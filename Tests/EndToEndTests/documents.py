"""The commands in the documents: fenced blocks, and commands in backticks.

The word after a fence's language says how a reader runs the block; a block without that word is a fault (`faults`):

    sh service    as root on a machine on which the package is installed and the service runs
    sh tree       in a clone in which `make release` was done
    python client saved to a file, with the service running
    text          nothing to run: output, a diagram, a formula
    json, yaml    nothing to run: an example
"""

import dataclasses
import re

from server import ROOT

KINDS = {"sh service", "sh tree", "python client", "text", "json", "yaml"}
# Generated from the schema and golden messages; `Tests/TreeTests/test_generated.py` compares it.
GENERATED = {"docs/protocol.md"}
# In these documents commands in backticks are typed on the machine of the service. In the others they only name a
# command.
FOR_OPERATORS = ("README.md", "docs/console.md", "docs/faults.md", "docs/operations.md", "docs/stats.md")
# Programs that readers start. In backticks they are commands if arguments follow.
PROGRAMS = ("cairn", "runuser", "systemctl", "journalctl", "apt-get")


@dataclasses.dataclass(frozen=True)
class Block:
    document: str
    line: int
    kind: str
    text: str

    @property
    def place(self):
        return f"{self.document}:{self.line}"

    def commands(self):
        """Its lines, without comments, and with continued lines joined."""
        joined = self.text.replace("\\\n", " ")
        return [line for line in (re.sub(r"(^|\s+)#.*$", "", line) for line in joined.splitlines()) if line.strip()]


def documents():
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("loadtest/*.md")]
    return sorted(str(path.relative_to(ROOT)) for path in found)


def blocks(document, text=None):
    """The fenced blocks of a document, in order."""
    found, opened = [], None
    lines = (ROOT / document).read_text().splitlines() if text is None else text.splitlines()
    for number, line in enumerate(lines, 1):
        if not line.lstrip().startswith("```"):
            continue
        if opened is None:
            opened = (number, line.strip().removeprefix("```").strip())
        else:
            body = "\n".join(lines[opened[0]:number - 1])
            found.append(Block(document, opened[0], opened[1], body))
            opened = None
    assert opened is None, f"{document}:{opened[0]} is never closed"
    return found


def faults(document, text=None):
    """Blocks that do not say how a reader runs them."""
    return [
        f"{block.place}: ```{block.kind} says not how its reader runs it; wants one of {sorted(KINDS)}"
        for block in blocks(document, text)
        if block.kind not in KINDS and not (block.kind == "" and document in GENERATED)]


def of_kind(kind):
    return [block for document in documents() for block in blocks(document) if block.kind == kind]


def inline(document):
    """Commands in backticks outside of blocks: whole ones, not just a program's name."""
    text = re.sub(r"^\s*```.*?^\s*```", "", (ROOT / document).read_text(), flags=re.MULTILINE | re.DOTALL)
    found = (span.replace("\\|", "|") for span in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text))
    # `cairn check --format text|json` is two commands.
    return sorted({one for span in found if is_command(span) for one in alternatives(span)})


def is_command(span):
    words = span.split()
    return len(words) > 1 and words[0] in PROGRAMS


def alternatives(span):
    words = span.split()
    choice = next((word for word in words if "|" in word), None)
    return [span.replace(choice, one) for one in choice.split("|")] if choice else [span]
