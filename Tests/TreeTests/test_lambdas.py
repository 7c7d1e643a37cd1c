"""A lambda in a generator sees the generator's last value, once `gather` has used the generator up: each of many then
waits for the last one's state and is woken by its own. It waits for the whole of its patience, and passes."""

import ast
import pathlib

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)


def names(node):
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def lambdas(node):
    """The lambdas in an expression that may run later than it: within `await` they have run when it goes on."""
    if isinstance(node, ast.Await):
        return
    if isinstance(node, ast.Lambda):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from lambdas(child)


def late(text):
    """Lines of lambdas that use a variable of the comprehension around them."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, COMPREHENSIONS):
            continue
        changing = set().union(*(names(one.target) for one in node.generators))
        for element in [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]:
            for one in lambdas(element):
                if names(one.body) & changing - {argument.arg for argument in one.args.args}:
                    found.append(one.lineno)
    return found


@pytest.mark.parametrize("text, lines", [
    ("gather(*(one.until(lambda: one.ready) for one in people))", [1]),
    ("[task(lambda: each) for each in range(3)]", [1]),
    ("{n: (lambda: n) for n in range(3)}", [1]),
    ("[task(lambda each=each: each) for each in range(3)]", []),
    ("[sorted(row, key=lambda cell: cell.place) for row in rows]", []),
    ("async def f(): return [await timed(lambda: ask(each)) for each in range(3)]", []),
])
def test_the_rule_itself(text, lines):
    assert late(text) == lines


def test_no_lambda_in_a_comprehension_waits_for_the_last_value():
    found = [f"{path.relative_to(TESTS)}:{line}"
             for path in sorted(TESTS.rglob("*.py")) for line in late(path.read_text())]
    assert found == []
