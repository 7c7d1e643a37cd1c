"""No test asserts an absolute time: a busy machine would make it lie.

A wait waits for its event, with a deadline that is for hangs. What measures a time has the mark `alone` (in Swift the
tag `.alone`) and compares with something that it has measured itself. These tests read the sources of all other tests,
and refuse, by name and line:

- an upper bound of a measured time by a number, or by something and a number, or outside `alone` by anything else. A
  time of a processor is one as well: how much work a second is depends on the machine;
- a wait of less than 20 s for something that a busy machine may do later.

A lower bound ("not before its time") holds on any machine, and so does the order of two moments.
"""

import ast
import pathlib
import re
import textwrap

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ("EndToEndTests", "BrowserTests")
SWIFT_FOLDERS = (TESTS, TESTS.parent / "loadtest/Tests")

#: Lines that may stay, as "file: what is refused in it", each with its reason.
EXCEPTIONS = {}

# MARK: - What a value is

#: A moment by a clock; a length of time; one that counts backwards, such as the time that is left; so much in a second.
MOMENT, LENGTH, LEFT, RATE = "moment", "length", "left", "rate"

CLOCKS = {"monotonic", "perf_counter", "time", "monotonic_ns", "perf_counter_ns", "time_ns"}
#: Calls that read how long a processor has worked, wherever they come from.
PROCESSOR_CLOCKS = {"busy_seconds", "process_time", "thread_time"}
#: Calls and fields whose value is a length of time wherever they are, and names that are used for nothing else.
LENGTHS = {"timed", "paces", "percentile", "p99", "seconds_to_start", "latencies"}
NAMES = {
    "elapsed", "took", "slowest", "longest", "late", "p50", "p90", "p95", "p99", "latency", "latencies",
}  # fmt: skip
#: Names of moments from which a length is counted.
BEGINNINGS = {"began", "begun", "started", "start"}
#: Calls whose value is of the kind of what they are given.
THROUGH = {"min", "max", "next", "sum", "sorted", "round", "float", "int", "median", "mean", "list", "tuple"}
#: A page's own clock.
PAGE_CLOCK = re.compile(r"performance\.now|Date\.now")
#: What a module has in it that measures anything.
MEASURES = re.compile("|".join([
    rf"\btime\.({'|'.join(CLOCKS)})", *PROCESSOR_CLOCKS, r"loop\(?\)?\.time", PAGE_CLOCK.pattern, *LENGTHS, *NAMES]))

SHORT_SECONDS = 20
#: Calls that wait for something, and where each has its deadline: by name, or by place among the arguments.
DEADLINES = {
    "until": ("seconds", None), "eventually": ("seconds", 2), "ask": ("seconds", None), "refusal": ("seconds", 0),
    "until_ended": ("seconds", 0), "until_figure": ("seconds", 2), "until_acknowledged": ("seconds", None),
    "holds": ("seconds", None), "wait_for": ("timeout", 1), "run": ("timeout", None), "urlopen": ("timeout", None),
    "create_connection": ("timeout", None), "HTTPConnection": ("timeout", None), "HTTPSConnection": ("timeout", None),
    "settimeout": ("", 0), "connect": ("open_timeout", None), "communicate": ("timeout", None),
}  # fmt: skip


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
#: What gives a name its value.
TELLING = (
    ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.AsyncFor, ast.comprehension, ast.Call)


class Module:
    """One module of tests: which of its names are times, and what it asserts about them."""

    def __init__(self, text, name="module"):
        self.name = name
        tree = ast.parse(text)
        is_alone = any(is_alone_mark(node.value) for node in tree.body if assigns(node, "pytestmark"))
        self.numbers = {}  # constants of the module
        self.pages = set()  # names of texts that read a page's clock
        self.kinds = {}  # (scope, name) -> kind; fields are in the scope "."
        self.returned = {}  # name of a function -> kind, or list of kinds, of what it returns
        self.clocks = set()  # names of functions that read a clock
        self._told = []  # (scope, statement or call that gives a name its value)
        self._returns = []  # (scope, function, what it returns)
        self._judged = []  # (scope, function, whether it is alone, assertion or branch or call)
        self._parameters = {}  # name of a function -> its scope, and the names of its parameters
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                if self.is_number(node.value):
                    self.numbers[node.targets[0].id] = node.value
                elif isinstance(node.value, ast.Constant) and PAGE_CLOCK.search(str(node.value.value)):
                    self.pages.add(node.targets[0].id)
        for node in tree.body:
            self._collect(node, getattr(node, "name", ""), node, is_alone)
        size = -1 if MEASURES.search(text) else 0
        while size != len(self.kinds) + len(self.returned) + len(self.clocks):
            size = len(self.kinds) + len(self.returned) + len(self.clocks)
            self._learn()

    def _collect(self, node, scope, function, is_alone):
        """Sorts the nodes below by what they say; a function in another one, and a method, is in the same scope."""
        if isinstance(node, FUNCTIONS):
            function, is_alone = node, is_alone or any(map(is_alone_mark, node.decorator_list))
            self._parameters[node.name] = scope, [one.arg for one in node.args.args if one.arg not in ("self", "cls")]
        if isinstance(node, TELLING):
            self._told.append((scope, node))
        elif isinstance(node, ast.Return) and node.value is not None:
            self._returns.append((scope, function, node.value))
        if isinstance(node, (ast.Assert, ast.If, ast.Call)):
            self._judged.append((scope, function, is_alone, node))
        for child in ast.iter_child_nodes(node):
            self._collect(child, scope, function, is_alone)

    # MARK: What names are

    def _learn(self):
        for scope, node in self._told:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._assign(target, node.value, scope)
            elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
                self._assign(node.target, node.iter, scope, is_each=True)
            elif isinstance(node, ast.Call):
                if called(node) in ("append", "extend", "add", "setdefault") and node.args:
                    self._set(node.func, self.kind(node.args[-1], scope), scope)
                where, names = self._parameters.get(called(node), ("", []))
                for parameter, given in zip(names, node.args):
                    if kind := self.kind(given, scope):
                        self.kinds.setdefault((where, parameter), kind)
            elif node.value:
                self._assign(node.target, node.value, scope)
        for scope, function, value in self._returns:
            if isinstance(value, ast.Tuple):
                kinds = [self.kind(one, scope) for one in value.elts]
                if any(kinds):
                    self.returned[function.name] = kinds
            elif kind := self.kind(value, scope):
                self.returned.setdefault(function.name, kind)

    def _assign(self, target, value, scope, is_each=False):
        if isinstance(target, (ast.Tuple, ast.List)):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) and not is_each else None
            kinds = self.returned.get(called(value)) if not is_each else None
            for place, one in enumerate(target.elts):
                if values and len(values) == len(target.elts):
                    self._assign(one, values[place], scope)
                elif isinstance(kinds, list) and place < len(kinds):
                    self._set(one, kinds[place], scope)
                elif not isinstance(value, (ast.Call, ast.Await)) or is_each or called(value) in ("zip", "items"):
                    self._set(one, self.kind(value, scope), scope)
        elif isinstance(value, ast.Attribute) and value.attr == "time" and "loop" in ast.unparse(value.value):
            self.clocks.add(target.id if isinstance(target, ast.Name) else "")
        else:
            self._set(target, self.kind(value, scope), scope)

    def _set(self, target, kind, scope):
        if isinstance(target, ast.Attribute) and target.attr in ("append", "extend", "add", "setdefault"):
            target = target.value
        while isinstance(target, (ast.Subscript, ast.Starred)):
            target = target.value
        if kind and isinstance(target, ast.Name):
            self.kinds.setdefault((scope, target.id), kind)
        elif kind and isinstance(target, ast.Attribute):
            self.kinds.setdefault((".", target.attr), kind)

    def is_number(self, node):
        """Whether a value is known without running anything."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
        if isinstance(node, ast.Name):
            return node.id in self.numbers
        if isinstance(node, ast.UnaryOp):
            return self.is_number(node.operand)
        if isinstance(node, ast.BinOp):
            return self.is_number(node.left) and self.is_number(node.right)
        if isinstance(node, ast.IfExp):
            return self.is_number(node.body) and self.is_number(node.orelse)
        if isinstance(node, ast.Call):
            return called(node) in ("int", "float") and len(node.args) == 1 and "environ" in ast.unparse(node)
        return False

    def kind(self, node, scope):
        """MOMENT, LENGTH, LEFT, or None for what is no time."""
        if isinstance(node, ast.Name):
            return LENGTH if node.id in NAMES else self.kinds.get((scope, node.id))
        if isinstance(node, ast.Attribute):
            return LENGTH if node.attr in LENGTHS else self.kinds.get((".", node.attr))
        if isinstance(node, ast.BinOp):
            return self._kind_of_sum(node, scope)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            kind = self.kind(node.operand, scope)
            return {LENGTH: LEFT, LEFT: LENGTH}.get(kind, kind)
        if isinstance(node, ast.Call):
            return self._kind_of_call(node, scope)
        if isinstance(node, (ast.Await, ast.Starred, ast.Subscript)):
            return self.kind(node.value, scope)
        if isinstance(node, ast.Tuple):
            kinds = [self.kind(one, scope) for one in node.elts]
            return kinds[0] if kinds and all(kinds) else None
        if isinstance(node, ast.List):
            return first(self.kind(one, scope) for one in node.elts)
        if isinstance(node, ast.Dict):
            return first(self.kind(one, scope) for one in node.values)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            return self.kind(node.elt, scope)
        if isinstance(node, ast.DictComp):
            return self.kind(node.value, scope)
        if isinstance(node, ast.IfExp):
            return self.kind(node.body, scope) or self.kind(node.orelse, scope)
        return None

    def _kind_of_sum(self, node, scope):
        left, right = self.kind(node.left, scope), self.kind(node.right, scope)
        if isinstance(node.op, ast.Div) and right == LENGTH:
            return None if left == LENGTH else RATE
        if not isinstance(node.op, (ast.Sub, ast.Add)):
            return left or right if isinstance(node.op, (ast.Mult, ast.Div, ast.FloorDiv)) else None
        if isinstance(node.op, ast.Add):
            return MOMENT if MOMENT in (left, right) else left or right
        if left == MOMENT:
            # A moment less a number is another moment; less a moment, or what may be one, it is a length.
            return MOMENT if right in (LENGTH, LEFT) or self.is_number(node.right) else LENGTH
        if right == MOMENT:
            if isinstance(node.right, ast.Name) and node.right.id in BEGINNINGS:
                return LENGTH
            return None if self.is_number(node.left) else LEFT
        return left or (LEFT if right == LENGTH else LENGTH if right == LEFT else None)

    def _kind_of_call(self, node, scope):
        name = called(node)
        if isinstance(node.func, ast.Attribute):
            owner = ast.unparse(node.func.value)
            if (owner == "time" and name in CLOCKS) or (name == "time" and "loop" in owner):
                return MOMENT
            if name in ("items", "values", "copy", "pop", "get"):
                return self.kind(node.func.value, scope)
        if name in PROCESSOR_CLOCKS or isinstance(node.func, ast.Name) and name in self.clocks:
            return MOMENT
        if name in LENGTHS:
            return LENGTH
        if name == "abs":
            return LENGTH if any(self.kind(one, scope) for one in node.args) else None
        if name in THROUGH or name == "zip":
            return first(self.kind(one, scope) for one in node.args)
        if name == "evaluate" and any(self._reads_page_clock(one) for one in node.args):
            return LENGTH
        returned = self.returned.get(name)
        return returned if isinstance(returned, str) else None

    def _reads_page_clock(self, node):
        if isinstance(node, ast.Name):
            return node.id in self.pages
        return isinstance(node, ast.Constant) and bool(PAGE_CLOCK.search(str(node.value)))

    # MARK: What is refused

    def complaints(self):
        """(line, what is wrong) of every assertion that is refused."""
        found = []
        for scope, function, is_alone, node in self._judged:
            if isinstance(node, ast.Assert):
                found += self._bounds(node.test, scope, is_alone)
            elif isinstance(node, ast.Call):
                found += self._deadline(node, function)
            elif fails(node.body):
                found += self._bounds(node.test, scope, is_alone, is_wanted=False)
        return sorted(found)

    def _bounds(self, node, scope, is_alone, is_wanted=True):
        if called(node) == "is_held_up" and not is_alone:
            yield node.lineno, f"a time that is measured outside of `alone`: {ast.unparse(node)}"
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield from self._bounds(node.operand, scope, is_alone, not is_wanted)
        elif isinstance(node, ast.Compare):
            values = [node.left, *node.comparators]
            for left, operator, right in zip(values, node.ops, values[1:]):
                yield from self._bound(left, operator, right, scope, is_alone, is_wanted)
        else:
            for one in ast.iter_child_nodes(node):
                yield from self._bounds(one, scope, is_alone, is_wanted)

    def _bound(self, left, operator, right, scope, is_alone, is_wanted):
        if isinstance(operator, ast.Eq) and is_wanted and not is_alone:
            for one, other in ((left, right), (right, left)):
                if called(one) == "approx" and (self.kind(one.args[0], scope) or self.kind(other, scope)):
                    yield left.lineno, f"a time that is measured outside of `alone`: {ast.unparse(one)}"
        if not isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            return
        if isinstance(operator, (ast.Lt, ast.LtE)) != is_wanted:
            left, right = right, left
        # Now the left one is to be less than the right one.
        least, most = self.kind(left, scope), self.kind(right, scope)
        text = f"{ast.unparse(left)} < {ast.unparse(right)}"
        if least in (LENGTH, MOMENT) and self.is_number(right):
            yield left.lineno, f"an absolute time: {text}"
        elif (least == LENGTH or least == MOMENT and most is None) and self._adds_a_number(right):
            yield left.lineno, f"an absolute time: {text}"
        elif least == LENGTH and not is_alone or most == LEFT and not is_alone and not self.is_number(left):
            yield left.lineno, f"a time that is measured outside of `alone`: {text}"
        elif most in (LEFT, RATE) and self.is_number(left) and ast.unparse(left) != "0":
            yield left.lineno, f"an absolute time: {text}"

    def _adds_a_number(self, node):
        """Whether a number that is not 0 is added somewhere, be it within a product or the greater of two."""
        if isinstance(node, ast.Call) and called(node) in THROUGH:
            return any(map(self._adds_a_number, node.args))
        if not isinstance(node, ast.BinOp):
            return False
        if isinstance(node.op, ast.Add) and (self.is_number(node.left) or self.is_number(node.right)):
            return True
        return self._adds_a_number(node.left) or self._adds_a_number(node.right)

    def _deadline(self, call, function):
        name = called(call)
        keyword, place = DEADLINES.get(name, (None, None))
        if keyword is None:
            return
        given = [one.value for one in call.keywords if one.arg == keyword or (name == "run" and one.arg == "seconds")]
        if place is not None and len(call.args) > place:
            given.append(call.args[place])
        for one in given:
            if isinstance(one, ast.Constant) and isinstance(one.value, (int, float)) and one.value < SHORT_SECONDS:
                if not paces_itself(function):
                    yield call.lineno, f"a wait of {one.value} s: {ast.unparse(call)[:80]}"


def first(kinds):
    return next((kind for kind in kinds if kind), None)


def called(node):
    """The last part of the name of what is called; "" for what is no call."""
    if isinstance(node, ast.Await):
        node = node.value
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def assigns(node, name):
    return isinstance(node, ast.Assign) and any(getattr(target, "id", "") == name for target in node.targets)


def is_alone_mark(node):
    """Whether an expression has the mark `alone` in it, as one mark or in a list of them."""
    return any(isinstance(one, ast.Attribute) and one.attr == "alone" for one in ast.walk(node))


def fails(statements):
    """Whether a branch fails the test."""
    return any(isinstance(one, ast.Raise) or called(getattr(one, "value", None)) == "fail" for one in statements)


def paces_itself(function):
    """Whether a function goes on after a wait that was in vain: then the wait is a pace, and no claim."""
    for node in ast.walk(function):
        caught = [node.type] if isinstance(node, ast.ExceptHandler) and node.type else []
        if called(node) == "suppress":
            caught = node.args
        if any("TimeoutError" in ast.unparse(one) for one in caught):
            return True
    return False


# MARK: - Swift

#: A wall clock is read, and what is measured with it.
SWIFT_CLOCK = r"(?:ContinuousClock|SuspendingClock|ProcessInfo\.processInfo\.systemUptime|DispatchTime\.now|Date\(\))"
SWIFT_MEASURED = re.compile(
    r"(?:let|var)\s+(\w+)(?:\s*:\s*\w+)?\s*=\s*(?:try\s+)?(?:await\s+)?"
    rf"(?:{SWIFT_CLOCK}[^\n]*?\.measure\b|\w*[cC]lock\.measure\b|[^\n]*\.duration\(to: |{SWIFT_CLOCK}\.now - "
    r"|\w+\.now - )")
SWIFT_LENGTH = (
    rf"(?:\w+\.duration\(to: [^)]*\)|{SWIFT_CLOCK}\.now - \w+|milliseconds\(since[^)]*\)|\b(?:elapsed|p9[059])\b)")
SWIFT_NUMBER = r"(?:Duration)?\.(?:seconds|milliseconds|microseconds)\([\d_.]+\)|[\d_.]+\b(?!\s*\*)"


def swift_complaints(text):
    """(line, what is wrong) of every expectation that holds a wall clock to a number."""
    alone = suites_alone(text)
    measured = {name for name in SWIFT_MEASURED.findall(text)}
    length = "|".join([SWIFT_LENGTH, *(rf"\b{name}\b" for name in sorted(measured))])
    upper = re.compile(rf"(?:{length})\s*<=?\s*(?:{SWIFT_NUMBER})|(?:{SWIFT_NUMBER})\s*>=?\s*(?:{length})")
    within = re.compile(rf"\.\.[.<][^\n]*\.contains\((?:{length})\)")
    for number, line in enumerate(text.splitlines(), 1):
        if "#expect" not in line and "#require" not in line:
            continue
        if (upper.search(line) or within.search(line)) and not any(number in suite for suite in alone):
            yield number, f"an absolute time: {line.strip()}"


def suites_alone(text):
    """The lines of each suite whose declaration has the tag `.alone`."""
    lines = text.splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        if line.startswith("@Suite") and ".alone" in " ".join(lines[number - 1:number + 3]).partition("{")[0]:
            end = next((later for later in range(number, len(lines) + 1) if lines[later - 1] == "}"), len(lines))
            found.append(range(number, end + 1))
    return found


# MARK: - The tree


def python_files():
    return sorted(path for folder in FOLDERS for path in (TESTS / folder).glob("*.py"))


def test_noTestInPython_assertsAnAbsoluteTime():
    complaints = [
        f"{path.relative_to(TESTS)}:{line}: {what}" for path in python_files()
        for line, what in Module(path.read_text(), path.name).complaints()
        if f"{path.name}: {what}" not in EXCEPTIONS]
    assert not complaints, "\n" + "\n".join(complaints)


def test_noTestInSwift_assertsAnAbsoluteTime():
    complaints = [
        f"{path.relative_to(TESTS.parent)}:{line}: {what}"
        for folder in SWIFT_FOLDERS for path in sorted(folder.rglob("*.swift"))
        for line, what in swift_complaints(path.read_text())
        if f"{path.name}: {what}" not in EXCEPTIONS]
    assert not complaints, "\n" + "\n".join(complaints)


# MARK: - That it refuses what it should


REFUSED = {
    "a difference": "began = time.monotonic()\nassert time.monotonic() - began < 1",
    "the other way round": "began = time.monotonic()\nassert 1 > time.monotonic() - began",
    "at most": "began = time.perf_counter()\nassert time.perf_counter() - began <= LIMIT",
    "not more than": "began = time.monotonic()\nassert not time.monotonic() - began > 2.5",
    "a branch that fails": "began = time.monotonic()\nif time.monotonic() - began > 2:\n    raise AssertionError",
    "a branch that calls fail": "began = time.time()\nif time.time() - began > 2:\n    pytest.fail('late')",
    "a loop's clock": "clock = asyncio.get_running_loop().time\nbegan = clock()\nassert clock() - began < 10",
    "a loop's clock, called": "began = loop.time()\nassert loop.time() - began < 10",
    "one of two": "began = time.monotonic()\nassert answered and time.monotonic() - began < 1, 'late'",
    "a chain": "late = time.time() - ends\nassert -0.05 < late < 1.5",
    "the longest": (
        "slow = 0.0\nfor _ in range(3):\n    before = time.monotonic()\n"
        "    slow = max(slow, time.monotonic() - before)\nassert slow < 0.5"),
    "a list": "found = []\nfound.append(time.monotonic() - began)\nassert max(found) < 1",
    "a percentile": "assert percentile(values, 0.99) < 0.1",
    "a name": "assert slowest < 1",
    "a field": "assert server.seconds_to_start < 30",
    "a window by the wall clock": "assert time.time() < ends + 1.5",
    "the distance of two clocks": "assert abs(sent - time.time()) < 60",
    "nearly the wall clock": "assert expires == pytest.approx(time.time() + 3600, abs=60)",
    "what is left": "assert ends - time.time() > -1.5",
    "so many in a second": "took = time.monotonic() - began\nrate = sent / took\nassert rate > 0.5 * LIMIT",
    "an argument": "def note(seconds):\n    assert seconds < LIMIT\nnote(time.monotonic() - began)",
    "of what came": "late = max(at for at, near in client.near) - began\nassert late < 1",
    "a function": "def took_it():\n    return time.monotonic() - began\nassert took_it() < 2",
    "a page's clock": "answered = await page.evaluate('() => performance.now() - began')\nassert answered < 500",
    "another measured time": "began = time.monotonic()\nassert time.monotonic() - began < 3 * quiet",
    "what is held up": "assert not is_held_up(await paces(ask), before)",
    "a number beside a ratio": "before = time.monotonic()\nassert time.monotonic() - before < 2 * plain + 0.05",
    "a number within a ratio": "before = time.monotonic()\nassert time.monotonic() - before < 2 * (plain + 0.05)",
    "a processor's time": "before = busy_seconds(server)\nassert busy_seconds(server) - before < 0.5",
    "a processor's time of a field": "before = server.busy_seconds()\nassert server.busy_seconds() - before < 1",
    "a processor's time beside a ratio": (
        "before = busy_seconds(server)\nspent = {'x': busy_seconds(server) - before}\n"
        "assert spent['x'] < 2 * spent['y'] + 0.05"),
    "a short wait": "await client.until(is_there, 'it', seconds=1)",
    "a short wait for a future": "await asyncio.wait_for(answer, 5)",
    "a short socket": "with socket.create_connection(address, timeout=5):\n    pass",
    "a short command": "run('check', seconds=10)",
}

ACCEPTED = {
    "not before": "began = time.monotonic()\nassert time.monotonic() - began > 40",
    "at least": "late = time.time() - ends\nassert late > -0.05",
    "a deadline": "deadline = time.monotonic() + seconds\nassert time.monotonic() < deadline",
    "an order": "began = time.time()\nassert began < sent < time.time()",
    "a count": "assert asked > 10 and len(seen) < 5",
    "as many as the time allows": "began = time.monotonic()\nassert taken < 25 + (time.monotonic() - began)",
    "what is left of a window": (
        "began = time.monotonic()\nassert 60 - (time.monotonic() - began) <= refusal.retry_after"),
    "a share": "assert (busy() - spent) / (time.monotonic() - began) < 0.02",
    "a load of some seconds": "began = time.monotonic()\nwhile time.monotonic() - began < 5:\n    pass",
    "a patient wait": "await client.until(is_there, 'it', seconds=PATIENCE)\nawait client.until(is_there, 'it')",
    "a pace": "with contextlib.suppress(asyncio.TimeoutError):\n    await asyncio.wait_for(over.wait(), 0.05)",
    "a pace of a loop": "await asyncio.wait([sending], timeout=0.2)",
}


def complaints_of(body, head="", marks=""):
    text = f"LIMIT = 2 * 3\n{head}\n{marks}\nasync def test_it(server):\n{textwrap.indent(body, '    ')}\n"
    return Module(text).complaints()


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_whatAssertsATime_isRefused(body):
    assert complaints_of(body)


@pytest.mark.parametrize("body", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_whatHoldsOnEveryMachine_isAccepted(body):
    assert complaints_of(body) == []


RATIO = "quiet = max(await paces(ask))\nassert max(await paces(ask)) < 20 * quiet"


def test_aRatio_isAcceptedAloneOnly():
    assert complaints_of(RATIO)
    assert complaints_of(RATIO, marks="@pytest.mark.alone") == []
    assert complaints_of(RATIO, head="pytestmark = pytest.mark.alone") == []
    assert complaints_of(RATIO, head="pytestmark = [pytest.mark.alone, pytest.mark.seconds(90)]") == []
    assert complaints_of(RATIO, marks="@pytest.mark.seconds(90)")


def test_aNumber_isRefusedAloneToo():
    assert complaints_of("assert max(await paces(ask)) < 1", marks="@pytest.mark.alone")


def test_aHelperInATestThatIsAlone_isAloneToo():
    nested = "async def check():\n    assert await timed(ask) < 20 * quiet\nawait check()"
    assert complaints_of(nested, marks="@pytest.mark.alone") == []
    assert complaints_of(nested)


def test_anException_isOfSomethingThatIsThere():
    texts = {path.name: path.read_text() for path in python_files()}
    texts |= {path.name: path.read_text() for folder in SWIFT_FOLDERS for path in folder.rglob("*.swift")}
    for one, reason in EXCEPTIONS.items():
        name = one.partition(":")[0]
        found = swift_complaints(texts[name]) if name.endswith(".swift") else Module(texts[name]).complaints()
        assert reason and one in [f"{name}: {what}" for _, what in found], f"nobody needs the exception {one}"


SWIFT = """
@Suite("One", {tags}.timeLimit(.minutes(1)))
struct OneTests {{
    @Test func quick() async {{
        let began = ContinuousClock.now
        {line}
    }}
}}
"""

SWIFT_REFUSED = [
    "#expect(began.duration(to: .now) < .seconds(2))",
    "#expect(.milliseconds(500) >= began.duration(to: .now))",
    "#expect(ContinuousClock.now - began <= .milliseconds(50))",
    "let time = ContinuousClock().measure { work() }\n        #expect(time < .milliseconds(500))",
    "let took = began.duration(to: .now)\n        #expect(took < Duration.seconds(3))",
    "try #require(milliseconds(since: began) < 250)",
    "#expect((Duration.seconds(2)...Duration.seconds(4)).contains(ContinuousClock.now - began))",
]

SWIFT_ACCEPTED = [
    "#expect(began.duration(to: .now) >= .seconds(2))",
    "#expect(pause <= .milliseconds(500))",
    "#expect(refusal.retryAfter == .seconds(5))",
    "let time = ContinuousClock().measure { work() }\n        #expect(time < 4 * other)",
]


@pytest.mark.parametrize("line", SWIFT_REFUSED)
def test_whatAssertsATimeInSwift_isRefused(line):
    assert list(swift_complaints(SWIFT.format(tags="", line=line)))
    assert not list(swift_complaints(SWIFT.format(tags=".tags(.alone), ", line=line)))


@pytest.mark.parametrize("line", SWIFT_ACCEPTED)
def test_whatHoldsOnEveryMachineInSwift_isAccepted(line):
    assert not list(swift_complaints(SWIFT.format(tags="", line=line)))


def test_aSuiteBehindOneThatIsAlone_isNotAlone():
    other = SWIFT.format(tags=".tags(.alone), ", line="work()") + SWIFT.format(tags="", line=SWIFT_REFUSED[0])
    assert list(swift_complaints(other))
