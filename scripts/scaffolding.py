"""Writes the files of a new feature or command from scripts/scaffold, and the lines that it has elsewhere.

For scripts/new-feature and scripts/new-command. What a person has to fill in is marked with a word that a test of the
tree refuses (`nothing_isLeftForLater`).
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from schema import Message, SCHEMA, messages_of, read_schema, read_schema_file

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "scripts/scaffold"
FEATURES = ROOT / "Sources/CairnFeatures"
TESTS = ROOT / "Tests/CairnFeaturesTests"
ENVELOPE = SCHEMA / "envelope.proto"
TEXTS = ROOT / "Sources/CairnServer/Texts"
#: The word is put together, so that this file does not have it.
FILL = "TO" + "DO:"
#: What is made from the schema without protoc, in the order in which one needs the other.
GENERATORS = ["generate-bounds", "generate-requests", "generate-golden", "generate-js-codec", "generate-protocol-docs"]


def fail(message):
    sys.exit(f"{Path(sys.argv[0]).name}: {message}")


# Names


def snake(name):
    """`add_lantern` for `AddLantern`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def camel(name):
    """`addLantern` for `AddLantern`."""
    return name[:1].lower() + name[1:]


def checked(name):
    if not re.fullmatch(r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)*", name):
        fail(f"'{name}' is no name like Lanterns or AddLantern")
    return name


# Files


class Changes:
    """Files to write, all or none: nothing is written before everything is known to fit."""

    def __init__(self):
        self.texts = {}

    def read(self, path):
        return self.texts[path] if path in self.texts else path.read_text()

    def write(self, path, text):
        if path.exists() or path in self.texts:
            fail(f"{path.relative_to(ROOT)} is there")
        self.texts[path] = text

    def template(self, name, path, words):
        self.write(path, filled(name, words))

    def edit(self, path, pattern, replacement, what):
        """Replaces the first match."""
        text, count = re.subn(pattern, lambda found: found.expand(replacement), self.read(path), count=1,
                              flags=re.MULTILINE)
        if not count:
            fail(f"{path.relative_to(ROOT)}: there is no {what}")
        self.texts[path] = text

    def append(self, path, text):
        self.texts[path] = self.read(path) + text

    def carry_out(self):
        for path, text in self.texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        swift = [path for path in self.texts if path.suffix == ".swift"]
        if swift and shutil.which("swift"):
            subprocess.run(["swift", "format", "--in-place", *swift], check=True, cwd=ROOT)
        for script in GENERATORS:
            subprocess.run([sys.executable, ROOT / "scripts" / script], check=True)
        for path in self.texts:
            print(path.relative_to(ROOT))


def filled(name, words):
    text = (TEMPLATES / f"{name}.in").read_text()
    return re.sub(r"\{\{(\w+)\}\}", lambda found: {**words, "FILL": FILL}[found[1]], text)


# The schema


def refuse_taken(*messages):
    """Names of messages are of one space, whatever files they are in."""
    known = messages_of(read_schema())
    for name in messages:
        if name in known:
            fail(f"there is a message {name} in proto/cairn/v1 already")


def insert_request(changes, command, success, owned):
    """Lines in the envelope for a request and its success. A success that is there, such as `Done`, gets no line.

    The numbers continue those of the messages in `owned`, or begin at the next ten.
    """
    text = changes.read(ENVELOPE)
    found = re.findall(r"^    (\w+) (\w+) = (\d+);$", text[text.index("message ClientMessage {"):
                       text.index("message ServerMessage {")], re.MULTILINE)
    taken = {int(number) for _, _, number in found}
    last = max((int(number) for type_, _, number in found if type_ in owned), default=None)
    number = last + 1 if last and last + 1 not in taken else max(taken) // 10 * 10 + 10
    behind = last or max(taken)
    changes.edit(ENVELOPE, rf"^(    \w+ \w+ = {behind};\n)", rf"\g<1>    {command} {snake(command)} = {number};\n",
                 f"request with the number {behind}")
    results = [(type_, int(number)) for type_, _, number in re.findall(
        r"^    (\w+) (\w+) = (\d+);$", text[text.index("message Reply {"):text.index("message Refusal {")],
        re.MULTILINE)]
    if success in dict(results):
        return
    used = {one for _, one in results}
    own = max((one for type_, one in results if type_ in owned), default=max(used))
    result = number if number not in used else max(used) + 1
    changes.edit(ENVELOPE, rf"(message Reply \{{(?:.*\n)*?    \w+ \w+ = {own};\n)",
                 rf"\g<1>    {success} {snake(success)} = {result};\n", f"success with the number {own}")


def insert_import(changes, schema_name):
    changes.edit(ENVELOPE, r'((?:^import "cairn/v1/\w+\.proto";\n)+)',
                 rf'\g<1>import "cairn/v1/{schema_name}.proto";\n', "list of imports")


# Texts


def insert_texts(changes, key, english):
    """A text in each language but English, which stands in the code."""
    for path in sorted(TEXTS.glob("*.json")):
        if path.stem != "en":
            text = json.dumps(f"{FILL} {english}")
            changes.edit(path, r'"\n\}\n\Z', rf'",\n  "{key}": {text}\n}}\n', "last text")


# Features and commands


def next_steps(*more):
    """What is left to do, for people."""
    steps = [
        f"Fill in what `git grep -n {FILL[:-1]}` finds, the comments of the schema first.",
        "scripts/generate-proto, which needs protoc; after each change of the schema the scripts again: "
        + ", ".join(f"scripts/{script}" for script in GENERATORS),
        *more,
    ]
    print("\nNext:")
    for number, step in enumerate(steps, 1):
        print(f"{number}. {step}")


class Feature:
    """A feature that is there."""

    def __init__(self, name):
        found = [path for path in FEATURES.rglob(f"{name}.swift") if f"enum {name}: Feature" in path.read_text()]
        if len(found) != 1:
            fail(f"no file {name}.swift below Sources/CairnFeatures has `enum {name}: Feature`")
        self.name, self.path = name, found[0]
        self.folder = self.path.parent
        self.schema = SCHEMA / f"{name.lower()}.proto"
        if not self.schema.exists():
            fail(f"{self.schema.relative_to(ROOT)} is not there")

    @property
    def tests(self):
        return TESTS / self.folder.relative_to(FEATURES)

    @property
    def messages(self):
        return {one.name for one in read_schema_file(self.schema).types if isinstance(one, Message)}


def insert_refusal(changes, feature, name, words):
    """A code of the feature's own: what it says, its registration, and its sentence in each language."""
    code = ROOT / "Sources/CairnWire" / feature.folder.relative_to(FEATURES).parts[0]
    tables = sorted(code.glob("Refusal.Code+*.swift"))
    path = tables[0] if tables else code / f"Refusal.Code+{feature.name}.swift"
    if not tables:
        changes.write(path, f"extension Refusal.Code {{\n    // MARK: {feature.name}\n}}\n")
    changes.edit(path, r"\n\}\n\Z", re.sub(r"\\", r"\\\\", "\n" + filled("command/Refusal.swift", words)) + "}\n",
                 "end of the codes")
    registers = [one for one in feature.folder.rglob("*.swift")
                 if re.search(r"static let refusals: \[Refusal\.Code\] = \[", one.read_text())]
    if registers:
        changes.edit(registers[0], r"(static let refusals: \[Refusal\.Code\] = \[[^\]]*?),?(\s*\])",
                     rf"\g<1>, .{camel(name)}\g<2>", "list of refusals")
    else:
        changes.write(feature.folder / f"{feature.name}+Refusals.swift", f"""\
internal import CairnCore
public import CairnWire

extension {feature.name} {{
    public static let refusals: [Refusal.Code] = [.{camel(name)}]
}}
""")
    insert_texts(changes, f"refusal.{snake(name)}", f"the sentence of {snake(name)}")
