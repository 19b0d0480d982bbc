# SPDX-License-Identifier: MIT
"""
Every small change of a module that may be wrong: another comparison, another number, no statement.

A mutant depends on the product's source alone, so the same seed draws the same mutants before and
after a change of the tests.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import CodeType

ROOT = Path(__file__).parents[2]

OTHER_COMPARISON: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OTHER_OPERATION: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
# What nothing computes with when the program runs.
SKIPPED = {"annotation", "returns", "decorator_list", "type_params", "format_spec"}

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Mutant:
    """
    One change of one module.

    Attributes:
        path: Of the module, from the root of the checkout.
        number: Which of the module's changes it is.
        change: The changed code, before and after.
        functions: Qualified names of the functions around it, the outermost first.
    """

    path: str
    number: int
    line: int
    change: str
    functions: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} line {self.line}: {self.change}"

    @property
    def name(self) -> str:
        """A name by which it can be tried again, as long as its module does not change."""
        return f"{self.path}#{self.number}"

    @property
    def module(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def parse(self) -> ast.Module:
        """Parse the module and change it."""
        tree = _parse(self.path)
        next(islice(_sites(tree), self.number, None)).replace()
        return ast.fix_missing_locations(tree)

    def compile(self) -> CodeType:
        return compile(self.parse(), ROOT / self.path, "exec")


def mutants_of(path: str) -> list[Mutant]:
    """Return every mutant of a module, in the order of the source."""
    sites = enumerate(_sites(_parse(path)))
    return [Mutant(path, number, *site.describe()) for number, site in sites]


def draw_mutants(room: str, count: int, seed: int) -> list[Mutant]:
    """Draw mutants of all modules in a folder, each with the same chance."""
    modules = sorted((ROOT / room).rglob("*.py"))
    every = [each for path in modules for each in mutants_of(str(path.relative_to(ROOT)))]
    drawn = random.Random(seed).sample(every, min(count, len(every)))
    return sorted(drawn, key=lambda mutant: (mutant.path, mutant.number))


def find_mutant(name: str) -> Mutant:
    path, _, number = name.partition("#")
    return mutants_of(path)[int(number)]


@dataclass(frozen=True)
class _Site:
    """A node, the field of its parent that holds it, and what may stand there instead."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    other: ast.AST
    line: int
    functions: tuple[str, ...]

    def describe(self) -> tuple[int, str, tuple[str, ...]]:
        # An operator alone says little: its whole expression is shown.
        if self.index is None or isinstance(self.node, ast.stmt):
            shown, before = self.node, ast.unparse(self.node)
            change = f"{before} -> {ast.unparse(self.other)}"
        else:
            shown = self.parent
            before = ast.unparse(shown)
            self.replace()
            change = f"{before} -> {ast.unparse(shown)}"
            self.replace(self.node)
        return self.line, " ".join(change.split()), self.functions

    def replace(self, by: ast.AST | None = None) -> None:
        new = by or self.other
        if self.index is None:
            setattr(self.parent, self.field, new)
        else:
            getattr(self.parent, self.field)[self.index] = new


def _parse(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text())


def _sites(tree: ast.AST, scope: str = "", functions: tuple[str, ...] = ()) -> Iterator[_Site]:
    """Yield every place below a node that can be changed."""
    for field, value in ast.iter_fields(tree):
        if field in SKIPPED or (isinstance(tree, Scope) and field == "args"):
            continue
        children = value if isinstance(value, list) else [value]
        for index, node in enumerate(children):
            if not isinstance(node, ast.AST) or (not functions and _is_union(node)):
                continue
            at = index if isinstance(value, list) else None
            line = getattr(node, "lineno", getattr(tree, "lineno", 0))
            others = [*_others(node)]
            if field in ("test", "ifs") and isinstance(node, ast.expr):
                others += [] if _is_negated_elsewhere(node) else [ast.UnaryOp(ast.Not(), node)]
            for other in others:
                yield _Site(tree, field, at, node, ast.copy_location(other, node), line, functions)
            inner, around = scope, functions
            if isinstance(node, Scope):
                # Defaults are computed where the function is made, not when it is called.
                yield from _sites(node.args, scope, functions)
                inner = scope + getattr(node, "name", "<lambda>")
                around = (*functions, inner)
                inner += ".<locals>."
            elif isinstance(node, ast.ClassDef):
                inner = f"{scope}{node.name}."
            yield from _sites(node, inner, around)


def _others(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in the place of a node."""
    match node:
        case ast.cmpop() if type(node) in OTHER_COMPARISON:
            yield OTHER_COMPARISON[type(node)]()
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OTHER_OPERATION:
            yield ast.BinOp(left, OTHER_OPERATION[type(op)](), right)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.And() if isinstance(op, ast.Or) else ast.Or(), values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Return(value=value) if value is not None and not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Await() | ast.YieldFrom()):
            yield ast.Pass()
        case ast.Raise() | ast.AugAssign() | ast.Delete() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()


def _is_negated_elsewhere(test: ast.expr) -> bool:
    """Return whether another change of this condition is its opposite already."""
    match test:
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=[op]):
            return isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn)
    return False


def _is_union(node: ast.AST) -> bool:
    """Return whether an expression outside functions joins types, or flags, with `|`."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None
