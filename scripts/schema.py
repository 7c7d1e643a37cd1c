"""Reads proto/cairn/v1: the subset of proto3 that Cairn's schema uses. For the scripts that write something from it."""

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "proto/cairn/v1"

# The order of reading, not of the alphabet.
SCHEMA_FILES = (
    "envelope session accounts profiles settings assets view placements reactions post posts feedback geo"
).split()


@dataclass
class Field:
    name: str
    type: str
    number: int
    comment: str
    label: str = ""  # "", "optional" or "repeated"
    oneof: str = ""
    bytes_max: int = 0  # of a text or bytes that clients send (proto/cairn/v1/bounds.proto)
    count_max: int = 0  # of a list that clients send

    @property
    def json_name(self):
        head, *tail = self.name.split("_")
        return head + "".join(word.capitalize() for word in tail)

    @property
    def meaning(self):
        """The comment, and how much of it a client may send."""
        count = self.count_max and f"{self.count_max:,}"
        size = self.bytes_max and f"{self.bytes_max:,} bytes"
        bound = f"{count} of {size}" if count and size else count or size
        return f"{self.comment} (From clients at most {bound}.)".strip() if bound else self.comment


@dataclass
class Message:
    name: str
    comment: str
    fields: list = field(default_factory=list)

    def oneof(self, name):
        return [f for f in self.fields if f.oneof == name]


@dataclass
class Enum:
    name: str
    comment: str
    values: list = field(default_factory=list)  # (name, number, comment)


@dataclass
class File:
    name: str
    comment: str
    types: list = field(default_factory=list)


@dataclass
class Request:
    """A kind of client message: its body, its success, and whether it needs an idempotency key."""

    body: Field  # of ClientMessage
    success: Field  # of Reply
    is_keyed: bool


FIELD = re.compile(r"(?:(optional|repeated) )?(map<\w+, ?\w+>|\w+) (\w+) = (\d+)(?: \[(.+)\])?;$")
BOUND = re.compile(r"\((\w+_max)\) = (\d+)")
VALUE = re.compile(r"(\w+) = (\d+);$")


def read_schema_file(path):
    """The subset of proto3 that Cairn's schema uses: one statement a line, comments above what they describe."""
    file, current, oneof, comment = File(path.stem, ""), None, "", []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.strip()
        if line.startswith("//"):
            comment.append(line[2:].strip())
            continue
        text = " ".join(comment)
        if not line:
            pass
        elif line.startswith(("syntax ", "import ", "option ")):
            pass
        elif line.startswith("package"):
            file.comment = text
        elif match := re.match(r"(message|enum) (\w+) \{(\})?$", line):
            made = Message(match[2], text) if match[1] == "message" else Enum(match[2], text)
            file.types.append(made)
            current = None if match[3] else made
        elif match := re.match(r"oneof (\w+) \{$", line):
            oneof = match[1]
        elif line == "}":
            if oneof:
                oneof = ""
            else:
                current = None
        elif isinstance(current, Message) and (match := FIELD.match(line)):
            bounds = {name: int(most) for name, most in BOUND.findall(match[5] or "")}
            current.fields.append(Field(match[3], match[2], int(match[4]), text, match[1] or "", oneof, **bounds))
        elif isinstance(current, Enum) and (match := VALUE.match(line)):
            current.values.append((match[1], int(match[2]), text))
        else:
            sys.exit(f"{path.relative_to(ROOT)}:{number}: cannot read '{line}'")
        comment = []
    return file


def read_schema():
    found = {path.stem for path in SCHEMA.glob("*.proto")} - {"bounds"}
    order = [name for name in SCHEMA_FILES if name in found] + sorted(found - set(SCHEMA_FILES))
    return [read_schema_file(SCHEMA / f"{name}.proto") for name in order]


def messages_of(schema):
    """The messages of all files, by their names."""
    return {t.name: t for file in schema for t in file.types if isinstance(t, Message)}


def read_requests(schema):
    """The requests of clients by their names, in the order of the envelope."""
    messages = messages_of(schema)
    kinds = {f.name: f for f in messages["ClientMessage"].oneof("body")}
    results = messages["Reply"].oneof("result")
    successes = {}
    for f in results:
        # "Success of `place`. On disk." names the request, "Success of `hello`, `sign_up` and `sign_in`." several.
        named = re.findall(r"Success of (?:a )?((?:`\w+`(?:, | and )?)+)", messages[f.type].comment)
        successes |= {name: f for names in named for name in re.findall(r"`(\w+)`", names)}
    if strange := successes.keys() - kinds.keys():
        sys.exit(f"proto/cairn/v1: success of what is no request: {', '.join(sorted(strange))}")
    claimed = {f.name for f in successes.values()} | {"refusal", "done"}
    if lost := [f.type for f in results if f.name not in claimed]:
        sys.exit(f"proto/cairn/v1: the comment does not say of which request it is the success: {', '.join(lost)}")
    done = next(f for f in results if f.name == "done")
    return {name: Request(f, successes.get(name, done), "idempotency key" in messages[f.type].comment)
            for name, f in kinds.items()}
