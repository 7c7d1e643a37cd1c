"""A line of a server's log is waited for: a thread of its own writes the log, after the answer, and on a busy machine
long after it. So a test says `server.logged("words")`, which waits; `assert "words" in server.log()` is refused here.
That something is *not* in the log is asserted of the text that is there."""

import ast
import pathlib

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]


def is_log(node, texts):
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "log"
    return is_call or isinstance(node, ast.Name) and node.id in texts


def affirmed(node):
    """The parts of a condition that do not stand below a `not`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from affirmed(child)


def unwaited(text):
    """Lines of assertions that something is in a log, in functions that have not waited for anything in it."""
    found = []
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        nodes = list(ast.walk(function))
        waits = [node.lineno for node in nodes if isinstance(node, ast.Attribute) and node.attr == "logged"]
        texts = {target.id for node in nodes if isinstance(node, ast.Assign) and is_log(node.value, ())
                 for target in node.targets if isinstance(target, ast.Name)}
        for claim in (node for node in nodes if isinstance(node, ast.Assert)):
            for node in affirmed(claim.test):
                if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
                    is_refused = is_log(node.comparators[0], texts)
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "count":
                    is_refused = is_log(node.func.value, texts) and not any(line < node.lineno for line in waits)
                else:
                    continue
                if is_refused:
                    found.append(node.lineno)
    return sorted(set(found))


@pytest.mark.parametrize("body, lines", [
    ("assert 'a' in server.log()", [2]),
    ("assert f'{a}' in world.log() and b", [2]),
    ("log = server.log()\n  assert 'a' in log", [3]),
    ("assert server.log().count('a') == 1", [2]),
    ("server.logged('a')\n  assert server.log().count('a') == 1", []),
    ("assert 'a' not in server.log()", []),
    ("assert not any(word in server.log() for word in words)", []),
    ("assert server.is_running, server.log()", []),
    ("server.logged('a')", []),
])
def test_the_rule_itself(body, lines):
    assert unwaited(f"async def test(server):\n  {body}\n") == lines


def test_what_the_log_says_is_waited_for():
    found = [f"{path.relative_to(TESTS)}:{line}"
             for path in sorted(TESTS.rglob("*.py")) for line in unwaited(path.read_text())]
    assert found == []
