"""The faults of faults.toml, and how they are put into a copy of the sources."""

import dataclasses
import pathlib
import tomllib

TABLE = pathlib.Path(__file__).with_name("faults.toml")

#: The variable that switches a fault on. Its name does not begin with `CAIRN_`: the tests keep such variables from
#: servers, and a server refuses those that it does not know.
VARIABLE = "FAULT_UNDER_TEST"
#: What stands in `faulty` for the question whether the fault is switched on.
QUESTION = "FAULT"

#: Appended to each Swift file with a fault. The import has one function: no other name of the C library can be meant.
HELPER = f"""
internal import func Glibc.getenv

/// The fault that scripts/faults switches on in this build; nil = none.
fileprivate let faultUnderTest: String? = getenv("{VARIABLE}").map {{{{ String(cString: $0) }}}}

{{visibility}} func isFaultOn(_ name: String) -> Bool {{{{ faultUnderTest == name }}}}
"""
VISIBILITIES = {"": "fileprivate", "inlinable": "@usableFromInline internal"}


@dataclasses.dataclass(frozen=True)
class Fault:
    """One line that is wrong, and the suites that should notice."""

    name: str
    component: str
    kind: str
    #: What goes wrong, a sentence.
    about: str
    #: From the root of the sources.
    file: str
    #: The text that stands exactly once in the file.
    original: str
    #: What replaces it.
    faulty: str
    helper: str = ""
    #: Test targets of Package.swift.
    swift: tuple = ()
    #: Files of tests, from the root of the sources.
    pytest: tuple = ()
    #: Whether the tests of cairn.js run.
    node: bool = False
    #: `file`, `original` and `faulty` of commits in which the file has another name.
    earlier: dict = dataclasses.field(default_factory=dict, hash=False)

    @property
    def is_swift(self):
        """Whether it is built in, and the environment switches it on; otherwise the file itself is replaced."""
        return self.file.endswith(".swift")

    def of_commit(self, has):
        """The fault as it fits a commit, whose `has` tells whether a path is there."""
        return self if has(self.file) or not self.earlier else dataclasses.replace(self, **self.earlier)

    def planted(self, text):
        """The text of the file with the fault in it."""
        count = text.count(self.original)
        if count != 1:
            raise ValueError(f"{self.name}: the original text stands {count} times in {self.file}, not once")
        return text.replace(self.original, self.faulty.replace(QUESTION, f'isFaultOn("{self.name}")'))


def read(path=TABLE):
    """All faults, in the order of the table."""
    entries = tomllib.loads(pathlib.Path(path).read_text())["fault"]
    return [
        Fault(**entry | {name: tuple(entry.get(name, ())) for name in ("swift", "pytest")}) for entry in entries]


def planted_files(faults, text_of):
    """The Swift files with all faults in them, by path. `text_of` gives the sound text of a path."""
    texts, helpers = {}, {}
    for fault in faults:
        if not fault.is_swift:
            continue
        texts[fault.file] = fault.planted(texts.get(fault.file) or text_of(fault.file))
        helpers[fault.file] = helpers.get(fault.file) or fault.helper
    return {path: text + HELPER.format(visibility=VISIBILITIES[helpers[path]]) for path, text in texts.items()}
