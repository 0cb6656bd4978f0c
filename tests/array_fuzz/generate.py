# SPDX-License-Identifier: MIT
# Writes functions of arrays in C++ and their twins in Python, from a seed.
"""usage: generate.py --seed N --count N --output FOLDER [--unit N]

Writes FOLDER/unit_0.cpp, ..., with up to --unit functions each, and FOLDER/twins.py. tests/array_fuzz/run.py compares them.
Function k of a seed is the same whatever the count.
"""
import argparse
import functools
import pathlib
import random
import re

INTEGERS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
REALS = ["f16", "f32", "f64"]
ELEMENTS = ["b1", *INTEGERS, *REALS, "c64"]
KINDS = ["bool", "int", "real", "complex"]  # elements convert by themselves to their own kind and those behind it
SYMBOLS = 3
SAMPLES = (*range(13), 17, 32, 100)
ONE = ("1", (1,) * len(SAMPLES))


def cpp_type(name):
    return "bool" if name == "b1" else name


def kind_of(type_):
    return "bool" if type_ == "b1" else {"i": "int", "u": "int", "f": "real", "c": "complex"}[type_[0]]


def converts(have, to):
    return KINDS.index(kind_of(have)) <= KINDS.index(kind_of(to))


def computed(type_):
    return "f32" if type_ == "f16" else type_


def promoted(type_):
    type_ = computed(type_)
    return "i32" if type_ in ("b1", "i8", "u8", "i16", "u16") else type_


def common(*types):
    """What C++ calculates in with numbers of these types."""
    types = [promoted(each) for each in types]
    if any(each[0] == "c" for each in types):
        return "c128" if any(each in ("c128", "f64") for each in types) else "c64"
    for each in ("f64", "f32", "u64", "i64", "u32"):
        if each in types:
            return each
    return "i32"


def mathematical(*types):
    made = common(*types)
    return made if made[0] in "fc" else "f64"


def sum_type(type_):
    type_ = computed(type_)
    return type_ if type_[0] in "fc" else "u64" if type_[0] == "u" else "i64"


# --- extents that depend on numbers which are known when it runs: their values for some of these -------------------------


def taken(of, extent):
    return len(range(*slice(*of).indices(extent)))


# Most have elements.
SLICES = [(1, 1, 1), (-1, 0, 1)] + [(start, stop, step)
                                    for start in (None, 0, 1, 2, -1, -2)
                                    for stop in (None, 0, 1, 3, -1, -2)
                                    for step in (1, 2, 3, -1, -2)
                                    if taken((start, stop, step), 12) > 0]


@functools.lru_cache(None)
def slices_of(lengths):
    """Returns: the lengths that slices make of these, with the slices."""
    made = {}
    for each in SLICES:
        made.setdefault(tuple(taken(each, length) for length in lengths), []).append(each)
    return made


def bound(at):
    return "none" if at is None else str(at)


def cpp_slice(of):
    if of == (None, None, 1):
        return "whole"
    if of == (None, None, -1):
        return "reversed"
    return f"slice({bound(of[0])}, {bound(of[1])}{'' if of[2] == 1 else f', {of[2]}'})"


def py_slice(of):
    return f"{'' if of[0] is None else of[0]}:{'' if of[1] is None else of[1]}{'' if of[2] == 1 else f':{of[2]}'}"


class Variable:
    def __init__(self, name, type_, dims, cpp=None, is_local=False, indices=False):
        self.name, self.type, self.dims = name, type_, list(dims)
        self.cpp = cpp or name
        self.is_local, self.indices = is_local, indices
        self.exact = True
        self.written = False


class View:
    def __init__(self, of, cpp, py, dims):
        self.of, self.cpp, self.py, self.dims = of, cpp, py, list(dims)
        self.type, self.exact = of.type, of.exact


class Expression:
    def __init__(self, cpp, py, type_, exact=True, product=False):
        self.cpp, self.py, self.type = cpp, py, type_
        self.exact = exact      # the device has the same bits
        self.product = product  # a device may join a sum with a product in it
        self.given_as = None    # the type of a number that is given for elements


class Function:
    def __init__(self, seed, number):
        self.random = random.Random(f"{seed}/{number}")
        self.index = number
        self.cpp, self.py = [], []
        self.numbers = []
        self.variables = []
        self.is_exact = self.chance(0.6)
        self.may_alias = True
        self.locals = 0
        self.make()

    # --- choices

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, of):
        return self.random.choice(of)

    # --- variables and views

    def make(self):
        rank = self.random.choices((1, 2, 3, 8), (40, 40, 20, 4))[0]
        if self.index % 40 == 39:
            rank = 8
        symbols = [str(axis) for axis in range(rank)]
        if rank > 1 and self.chance(0.3):
            symbols = ["0"] * rank
        types = self.random.sample(ELEMENTS, 2) + [self.pick(ELEMENTS)]
        for k in range(self.random.choices((2, 3, 4), (3, 4, 2))[0]):
            own = rank if k == 0 or self.chance(0.7) else self.random.randint(1, rank)
            dims = [(each, SAMPLES) for each in symbols[rank - own:]]
            if k > 0:
                dims = [ONE if self.chance(0.12) else each for each in dims]
            self.variables.append(Variable(f"p{k}", self.pick(types), dims))
        if self.chance(0.2):
            self.variables.append(
                Variable(f"p{len(self.variables)}", self.pick(INTEGERS), [self.variables[0].dims[-1]], indices=True))
        self.parameters = list(self.variables)
        wanted, tries = self.random.choices((1, 2, 3, 4), (1, 4, 4, 1))[0], 0
        while len(self.py) < wanted and tries < 50:
            tries += 1
            kinds = [self.assignment, self.compound, self.copy, self.local, self.reduction, self.reduction, self.scan, self.sort,
                     self.sorted, self.by_key, self.take, self.put, self.select, self.fill, self.host, self.whole_value, self.inside]
            if self.index % 5 == 4 and self.chance(0.7):
                self.pick([self.counted] if self.is_exact else [self.rows, self.counted])()
                continue
            self.random.choices(kinds, (36, 12, 10, 6, 7, 5, 6, 4, 6, 4, 5, 4, 4, 3, 2, 4, 6))[0]()
        for each in self.variables:
            if each.is_local:
                self.cpp.append(f"c.keep({each.name});")
                self.py.append(f"keep({each.name})")

    def new_local(self, type_, dims, cpp, py, exact, suffix="", declared="auto"):
        made = Variable(f"t{self.locals}", type_, dims, is_local=True)
        made.cpp = made.name + suffix
        made.exact = exact
        self.locals += 1
        self.cpp.append(f"{declared} {made.name} = {cpp};")
        self.py.append(f"{made.name} = local({py})")
        self.variables.append(made)
        return made

    def whole_view(self, of):
        return View(of, of.cpp, of.name, of.dims)

    def indexed(self, of, items, dims, order=None):
        """A view by slices and integers, transposed if an order is given."""
        cpp, py = of.cpp, of.name
        if any(each != (None, None, 1) for each in items):
            while items and items[-1] == (None, None, 1) and self.chance(0.5):
                items = items[:-1]  # the rest is whole
            cpp += "(" + ", ".join(str(each) if isinstance(each, int) else cpp_slice(each) for each in items) + ")"
            py += "[" + ", ".join(str(each) if isinstance(each, int) else py_slice(each) for each in items) + "]"
        if order is not None and order != sorted(order):
            if order == sorted(order, reverse=True) and self.chance(0.5):
                cpp, py = cpp + ".transpose()", py + ".transpose()"
            else:
                cpp += ".transpose({" + ", ".join(map(str, order)) + "})"
                py += ".transpose(" + ", ".join(map(str, order)) + ")"
            dims = [dims[axis] for axis in order]
        return View(of, cpp, py, dims)

    def any_view(self, of, least_rank=0):
        """Any part of a variable."""
        if not of.dims or self.chance(0.35):
            return self.whole_view(of)
        items, dims, left = [], [], len(of.dims)
        for sym, lengths in of.dims:
            choice = self.random.random()
            if choice < 0.12 and left > least_rank:
                items.append(self.pick([0, 0, -1, 1]))
                left -= 1
                continue
            if choice < 0.2 and sym != "1":
                chosen = (None, None, -1)
            elif choice < 0.65 and sym != "1":
                chosen = self.pick(SLICES)
            else:
                chosen = (None, None, 1)
            items.append(chosen)
            dims.append((sym, tuple(taken(chosen, each) for each in lengths)))
        order = None
        if len(dims) > 1 and self.chance(0.3):
            order = self.random.sample(range(len(dims)), len(dims))
        return self.indexed(of, items, dims, order)

    def view_for(self, of, dims, exactly=False):
        """A part of a variable that broadcasts to these extents; None if none was found."""
        for _ in range(12):
            axes = list(range(len(of.dims)))
            most = min(len(axes), len(dims))
            if exactly and most < len(dims):
                return None
            used = self.random.sample(axes, most if exactly or self.chance(0.8) else self.random.randint(0, most))
            if self.chance(0.7):
                used.sort()
            targets = list(range(len(dims)))[len(dims) - len(used):]
            items, result = [(0 if self.chance(0.8) else -1)] * len(of.dims), {}
            for axis, target in zip(used, targets):
                sym, lengths = of.dims[axis]
                if sym == "1" and not exactly:
                    items[axis], result[axis] = (None, None, 1), ONE
                    continue
                if sym != dims[target][0]:
                    break
                found = slices_of(lengths).get(dims[target][1])
                if not found:
                    break
                whole = (None, None, 1)
                items[axis] = whole if whole in found and self.chance(0.6) else self.pick(found)
                result[axis] = dims[target]
            else:
                kept = sorted(used)
                return self.indexed(of, items, [result[axis] for axis in kept], [kept.index(axis) for axis in used])
        return None

    # --- expressions

    def number(self, kind, type_=None):
        """A number: written down, or known when it runs."""
        type_ = type_ or self.pick({"bool": ["b1"], "int": INTEGERS + ["i32"] * 4, "real": ["f32", "f64"], "complex": ["c64"]}[kind])
        if self.chance(0.3) and type_ != "f16":
            self.numbers.append(type_)
            at = len(self.numbers) - 1
            return Expression(f"c.number<{cpp_type(type_)}>({at})", f"n[{at}]", type_)
        if type_ == "b1":
            of = self.pick(["true", "false"])
            return Expression(of, f"number('b1', {of.capitalize()})", type_)
        if kind_of(type_) == "int":
            of = self.random.randint(0 if type_[0] == "u" else -5, 7)
            return Expression(f"{type_}({of})", f"number('{type_}', {of})", type_)
        of = self.pick([0.5, 2.0, -1.5, 0.0, 3.0, 0.25])
        if type_ == "c64":
            return Expression(f"c64({of}F, 1.0F)", f"number('c64', complex({of}, 1))", type_)
        written = {"f64": f"{of}", "f32": f"{of}F", "f16": f"f16({of}F)"}[type_]
        return Expression(written, f"number('{type_}', {of})", type_)

    def given(self, type_):
        """A number that is given for elements of a type: of that type, or of another one of its kind or a lower one, and then
        known when it runs, because it may be refused."""
        if self.chance(0.6):
            return self.number(kind_of(type_), type_)
        kinds = {"bool": ["bool", "int"], "int": ["bool", "int", "int"], "real": ["int", "real"], "complex": KINDS}
        kind = self.pick(kinds[kind_of(type_)])
        of = self.pick([each for each in ELEMENTS if kind_of(each) == kind and each != "f16"])
        self.numbers.append(of)
        at = len(self.numbers) - 1
        made = Expression(f"c.number<{cpp_type(of)}>({at})", f"given('{type_}', n[{at}])", type_)
        made.given_as = of
        return made

    def leaf(self, kind, dims, exact):
        """A part of an array, of this kind or converted to it."""
        found = []
        for each in self.random.sample(self.variables, len(self.variables)):
            if (exact and not each.exact) or (kind_of(each.type) == "complex" and kind != "complex" and self.chance(0.8)):
                continue
            view = self.view_for(each, dims)
            if view is not None:
                found.append(view)
        if not found:
            of = next((each for each in self.variables if each.exact), None)
            if of is None:
                return None
            found = [View(of, of.cpp + ("(" + ", ".join(["0"] * len(of.dims)) + ")" if of.dims else ""),
                          of.name + ("[" + ", ".join(["0"] * len(of.dims)) + "]" if of.dims else ""), [])]
        wide = [each for each in found if each.dims]
        if wide and self.chance(0.9):
            found = wide
        same = [each for each in found if kind_of(each.type) == kind]
        view = self.pick(same) if same and self.chance(0.8) else self.pick(found)
        return self.to_kind(kind, Expression(view.cpp, view.py, view.type, view.exact))

    def to_kind(self, kind, of):
        have = kind_of(of.type)
        if have == kind or (have, kind) in (("bool", "int"), ("int", "real"), ("bool", "real")) or kind == "complex":
            if have == "bool" and kind == "real" or kind == "complex" and have in ("bool", "int"):
                return self.cast("f32", of)
            return of
        if not of.exact:
            return None
        if have == "complex":
            made = self.of_part(self.pick(["real", "imag"]), of)
            return self.to_kind(kind, made)
        if kind == "bool":
            type_ = common(of.type, "i32")
            return Expression(f"({of.cpp} != 0)", f"compare('!=', '{type_}', {of.py}, number('i32', 0))", "b1")
        # real to integer: of what fits
        to = self.pick(INTEGERS)
        least = -1 if to[0] == "u" else -100
        type_ = common(of.type, "i32")
        inside = (f"({of.cpp} > {least} && {of.cpp} < 100)",
                  f"truth('&&', compare('>', '{type_}', {of.py}, number('i32', {least})), "
                  f"compare('<', '{type_}', {of.py}, number('i32', 100)))")
        kept = self.where(Expression(*inside, "b1"), of, Expression("0", "number('i32', 0)", "i32"))
        return self.cast(to, kept)

    def cast(self, to, of):
        return Expression(f"yoke::cast<{cpp_type(to)}>({of.cpp})", f"cast('{to}', {of.py})", to, of.exact, of.product)

    @staticmethod
    def of_part(name, of):
        type_ = promoted(of.type)
        made = type_ if name == "conj" else {"c64": "f32", "c128": "f64"}[type_]
        return Expression(f"{name}({of.cpp})", f"part('{name}', {of.py})", made, of.exact, of.product)

    @staticmethod
    def where(condition, a, b):
        x, y = computed(a.type), computed(b.type)
        type_ = x if x == y else common(x, y)
        return Expression(f"where({condition.cpp}, {a.cpp}, {b.cpp})", f"where('{type_}', {condition.py}, {a.py}, {b.py})", type_,
                          a.exact and b.exact, a.product or b.product)

    def operand(self, kind, depth, dims, exact):
        """The second operand: an expression, or a number."""
        if self.chance(0.3):
            return self.number("int" if kind == "bool" else kind)
        return self.expression(kind, depth, dims, exact)

    def expression(self, kind, depth, dims, exact):
        """Returns: an expression with an array in it, of that kind; None where there is none."""
        if depth <= 0 or self.chance(0.15):
            return self.leaf(kind, dims, exact)
        made = {"bool": self.truth, "int": self.integer, "real": self.real, "complex": self.complex}[kind](depth - 1, dims, exact)
        # An expression reads at most 16 arrays, and more than this one may stand in it.
        if made is None or len(re.findall(r"\b[pt]\d", made.cpp)) > 12:
            return self.leaf(kind, dims, exact)
        return made

    def swapped(self, a, b):
        return (b, a) if self.chance(0.3) else (a, b)

    def truth(self, depth, dims, exact):
        choice = self.random.random()
        if choice < 0.65:
            kind = self.random.choices(("int", "real", "bool", "complex"), (5, 5, 1, 1))[0]
            names = ["==", "!="] if kind == "complex" else ["<", "<=", ">", ">=", "==", "!="]
            a, b = self.expression(kind, depth, dims, True), self.operand(kind, depth, dims, True)
            if a is None or b is None:
                return None
            a, b = self.swapped(a, b)
            name = self.pick(names)
            if "complex" in (kind_of(a.type), kind_of(b.type)):
                name = self.pick(["==", "!="])
            return Expression(f"({a.cpp} {name} {b.cpp})", f"compare('{name}', '{common(a.type, b.type)}', {a.py}, {b.py})", "b1")
        if choice < 0.75:
            a = self.expression("real", depth, dims, True)
            if a is None or kind_of(a.type) != "real":
                return None
            name = self.pick(["isnan", "isinf", "isfinite"])
            return Expression(f"{name}({a.cpp})", f"function('{name}', '{mathematical(a.type)}', {a.py})", "b1")
        a = self.expression(self.pick(["bool", "bool", "int", "real"]), depth, dims, True)
        if a is None or kind_of(a.type) == "complex":
            return None
        if choice < 0.85:
            return Expression(f"!({a.cpp})", f"truth('!', {a.py})", "b1")
        b = self.expression("bool", depth, dims, True)
        if b is None:
            return None
        name = self.pick(["&&", "||"])
        return Expression(f"({a.cpp} {name} {b.cpp})", f"truth('{name}', {a.py}, {b.py})", "b1")

    def integer(self, depth, dims, exact):
        choice = self.random.random()
        a = self.expression("int" if choice < 0.9 else "bool", depth, dims, True)
        if a is None:
            return None
        if choice < 0.12:
            name, text = self.pick([("-", "negative"), ("~", "complement"), ("abs", "absolute")])
            type_ = promoted(a.type)
            return Expression(f"abs({a.cpp})" if name == "abs" else f"{name}({a.cpp})", f"{text}('{type_}', {a.py})", type_)
        if choice < 0.22:
            to = self.pick(INTEGERS)
            return self.cast(to, a)
        b = self.operand("int", depth, dims, True)
        if b is None:
            return None
        if choice < 0.32:
            condition = self.expression("bool", depth, dims, True)
            return None if condition is None else self.where(condition, *self.swapped(a, b))
        if choice < 0.4:
            name, type_ = self.pick(["<<", ">>"]), promoted(a.type)
            by = f"bits('&', '{common(b.type, 'i32')}', {b.py}, number('i32', 7))"
            return Expression(f"({a.cpp} {name} ({b.cpp} & 7))", f"shift('{name}', '{type_}', {a.py}, {by})", type_)
        a, b = self.swapped(a, b)
        type_ = common(a.type, b.type)
        if choice < 0.55:
            name, text = self.pick([("min", "least"), ("max", "greatest")])
            return Expression(f"yoke::{name}({a.cpp}, {b.cpp})", f"{text}('{type_}', {a.py}, {b.py})", type_)
        name = self.pick(["+", "+", "-", "-", "*", "*", "/", "%", "&", "|", "^"])
        text = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod"}.get(name)
        py = f"{text}('{type_}', {a.py}, {b.py})" if text else f"bits('{name}', '{type_}', {a.py}, {b.py})"
        return Expression(f"({a.cpp} {name} {b.cpp})", py, type_)

    def arithmetic(self, name, a, b, exact):
        """+ - * / of reals or complex numbers; None where that would not be exact enough."""
        type_ = common(a.type, b.type)
        product = a.product or b.product or name == "*"
        joined = name in "+-" and (a.product or b.product)
        is_exact = a.exact and b.exact and not joined
        if name == "*" and type_[0] == "c" or name == "/" and type_ != "f64":
            is_exact = False
        if (exact and not is_exact) or (name == "/" and not (a.exact and b.exact)):
            return None
        text = {"+": "add", "-": "sub", "*": "mul", "/": "div"}[name]
        return Expression(f"({a.cpp} {name} {b.cpp})", f"{text}('{type_}', {a.py}, {b.py}{', True' if joined else ''})", type_, is_exact,
                          product)

    def real(self, depth, dims, exact):
        choice = self.random.random()
        if choice < 0.1:
            a = self.expression("int", depth, dims, True)
            return None if a is None else self.cast(self.pick(["f32", "f32", "f64"]), a)
        a = self.expression("real", depth, dims, exact)
        if a is None or kind_of(a.type) == "complex":
            return None
        type_ = promoted(a.type)
        if choice < 0.2:
            if self.chance(0.5):
                return Expression(f"-({a.cpp})", f"negative('{type_}', {a.py})", type_, a.exact, a.product)
            return None if not a.exact else Expression(f"abs({a.cpp})", f"absolute('{type_}', {a.py})", type_)
        if choice < 0.35:
            if not a.exact or kind_of(a.type) != "real":
                return None
            rounded = ["sqrt", "exp", "sin", "cos", "log", "tanh"]
            name = self.pick(["floor", "ceil", "trunc", "rint", "round", "fabs"] + ([] if exact else rounded))
            return Expression(f"{name}({a.cpp})", f"function('{name}', '{type_}', {a.py})", type_, name not in rounded)
        b = self.operand(self.pick(["real", "real", "int"]), depth, dims, exact)
        if b is None or kind_of(b.type) == "complex":
            return None
        if choice < 0.5:
            condition = self.expression("bool", depth, dims, True)
            return None if condition is None else self.where(condition, *self.swapped(a, b))
        if choice < 0.65:
            if not (a.exact and b.exact):
                return None
            a, b = self.swapped(a, b)
            type_ = common(a.type, b.type)
            name, text = self.pick([("yoke::min", "least('{}', "), ("yoke::max", "greatest('{}', ")])
            if not exact and self.chance(0.3) and kind_of(a.type) == kind_of(b.type):
                name, text = self.pick([("fmin", "function('fmin', '{}', "), ("fmax", "function('fmax', '{}', ")])
                type_ = mathematical(type_)
                return Expression(f"{name}({a.cpp}, {b.cpp})", f"{text.format(type_)}{a.py}, {b.py})", type_, False)
            if self.chance(0.2):
                d = self.number("real")
                type_ = common(a.type, b.type, d.type)
                return Expression(f"clamp({a.cpp}, {b.cpp}, {d.cpp})", f"clamp('{type_}', {a.py}, {b.py}, {d.py})", type_)
            return Expression(f"{name}({a.cpp}, {b.cpp})", f"{text.format(type_)}{a.py}, {b.py})", type_)
        return self.arithmetic(self.pick("++--***/"), *self.swapped(a, b), exact)

    def complex(self, depth, dims, exact):
        choice = self.random.random()
        a = self.expression("complex", depth, dims, exact)
        if a is None or kind_of(a.type) != "complex":
            return None
        if choice < 0.2:
            if self.chance(0.5):
                return self.of_part("conj", a)
            return Expression(f"-({a.cpp})", f"negative('{a.type}', {a.py})", a.type, a.exact, a.product)
        b = self.operand(self.pick(["real", "complex"]), depth, dims, exact)
        if b is None:
            return None
        if choice < 0.35:
            condition = self.expression("bool", depth, dims, True)
            return None if condition is None else self.where(condition, a, b)
        return self.arithmetic(self.pick("++--**/"), *self.swapped(a, b), exact)

    # --- statements

    def source_for(self, type_, dims, depth=None):
        """An expression that can be assigned to elements of a type."""
        kinds = {"bool": ["bool", "bool", "int"], "int": ["int", "int", "int", "bool"],
                 "real": ["real", "real", "real", "int", "bool"], "complex": ["complex", "complex", "real"]}
        kind = self.pick(kinds[kind_of(type_)])
        made = self.expression(kind, depth or self.pick([1, 1, 2, 2, 3]), dims, self.is_exact)
        if made is None or (kind_of(made.type) == "complex" and kind_of(type_) != "complex"):
            return None
        if kind_of(made.type) == "real" and kind_of(type_) in ("int", "bool"):
            return None
        if re.fullmatch(r"[pt]\d+(\.array\(\))?", made.cpp):  # a plain array is assigned by a name
            return None
        return made

    def destination(self, least_rank=0, types=None):
        found = [each for each in self.parameters if not each.indices and (types is None or each.type in types)]
        return self.any_view(self.pick(found), least_rank) if found else None

    def wrote(self, view, exact):
        view.of.written = True
        view.of.exact = view.of.exact and exact

    def add(self, cpp, py):
        self.cpp.append(cpp)
        self.py.append(py)

    def assignment(self):
        to = self.destination()
        of = self.source_for(to.type, to.dims)
        if of is None:
            return
        if self.chance(0.15):
            self.add(f"{to.cpp}.assign({of.cpp});", f"assign({to.py}, {of.py})")
        else:
            self.add(f"{to.cpp} = {of.cpp};", f"assign({to.py}, {of.py})")
        self.wrote(to, of.exact)

    def compound(self):
        to = self.destination()
        kind = kind_of(to.type)
        if kind == "bool":
            return
        if self.chance(0.25):
            of = self.given(to.type)
        else:
            of = self.source_for(to.type, to.dims, 1)
        if of is None or (kind == "int" and kind_of(of.type) not in ("int", "bool")):
            return
        if kind != "int":
            name = self.pick("+-*/" if not self.is_exact else "+-*")
            made = self.arithmetic(name, Expression(to.cpp, to.py, to.type, to.exact), of, self.is_exact)
            if made is None:
                return
        else:
            name = self.pick(["+", "-", "*", "/", "%", "&", "|", "^"])
            type_ = common(to.type, of.given_as or of.type)  # a given number calculates in its own type
            text = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod"}.get(name)
            py = f"{text}('{type_}', {to.py}, {of.py})" if text else f"bits('{name}', '{type_}', {to.py}, {of.py})"
            made = Expression("", py, type_, of.exact)
        self.add(f"{to.cpp} {name}= {of.cpp};", f"assign({to.py}, {made.py})")
        self.wrote(to, made.exact)

    def copy(self):
        to = self.destination()
        found = [each for each in self.variables if each.type == to.type or self.chance(0.3)]
        self.random.shuffle(found)
        for each in found:
            if not converts(each.type, to.type) and (kind_of(each.type), kind_of(to.type)) != ("int", "bool"):
                continue
            view = self.view_for(each, to.dims)
            if view is not None and (view.exact or not self.is_exact) and view.cpp != to.cpp:
                assigned = view.cpp == each.name and each.is_local  # an array
                self.add(f"{to.cpp}.assign({view.cpp});" if assigned or self.chance(0.3) else f"{to.cpp} = {view.cpp};",
                         f"assign({to.py}, {view.py})")
                return self.wrote(to, view.exact)
        return None

    def operand_view(self, kinds=KINDS, least_rank=0, exact=True):
        found = [each for each in self.variables
                 if kind_of(each.type) in kinds and len(each.dims) >= least_rank and
                 (each.exact or (not exact and kind_of(each.type) in ("real", "complex")))]
        return self.any_view(self.pick(found), least_rank) if found else None

    def of_view(self, view, exact, kinds, depth=1):
        """A view, or an expression of its shape, of one of these kinds."""
        if self.chance(0.5) and view.dims:
            made = self.expression(self.pick(kinds), depth, view.dims, exact)
            # Its shape has to be the view's: join it with the view.
            if made is not None and kind_of(made.type) in kinds and kind_of(view.type) in kinds and kind_of(view.type) != "complex":
                condition = f"({view.cpp} == {view.cpp})", f"compare('==', '{common(view.type)}', {view.py}, {view.py})"
                if kind_of(made.type) != "complex":
                    return self.where(Expression(*condition, "b1"), made, Expression(view.cpp, view.py, view.type, view.exact))
        return Expression(view.cpp, view.py, view.type, view.exact)

    def local(self):
        choice = self.random.random()
        view = self.operand_view(exact=self.is_exact)
        if view is None:
            return
        if choice < 0.4:
            kind = self.pick(KINDS)
            of = self.expression(kind, 2, view.dims, self.is_exact)
            if of is None:
                return
            joined = Expression(f"({view.cpp} == {view.cpp})", f"compare('==', '{common(view.type)}', {view.py}, {view.py})", "b1")
            if not view.exact or not view.dims or kind_of(of.type) == "complex":
                return
            made = self.where(joined, of, Expression("i32(1)", "number('i32', 1)", "i32"))
            if self.chance(0.3):
                self.new_local(made.type, view.dims, made.cpp, made.py, made.exact,
                               declared=f"yoke::device_array<{cpp_type(made.type)}, {len(view.dims)}>")
            else:
                name = self.pick(["yoke::evaluate", "yoke::device_array"])
                self.new_local(made.type, view.dims, f"{name}({made.cpp})", made.py, made.exact)
        elif choice < 0.6:
            self.new_local(view.type, view.dims, f"{view.cpp}.copy()", view.py, view.exact)
        elif choice < 0.8:
            to = self.pick([each for each in ELEMENTS if converts(view.type, each)])
            self.new_local(to, view.dims, f"{view.cpp}.astype<{cpp_type(to)}>()", f"cast('{to}', {view.py})", view.exact)
        elif view.dims:
            self.new_local(view.type, [self.flat(view.dims)], f"{view.cpp}.reshape_copy({{-1}})", f"local({view.py}).reshape(-1)",
                           view.exact)

    @staticmethod
    def flat(dims):
        return dims[0] if len(dims) == 1 else (repr(tuple(dims)), SAMPLES)

    def result(self, type_, dims, call, py, exact, suffix=""):
        """Assigns what a call makes: a new array, or by `pass` elements that exist."""
        if self.chance(0.45):
            found = [each for each in self.parameters if each.type == type_ and not each.indices]
            for each in self.random.sample(found, len(found)):
                to = self.view_for(each, dims, True)
                if to is not None and to.dims == dims:
                    self.add(f"{to.cpp} = yoke::pass::{call};", f"assign_pass({to.py}, {py})")
                    return self.wrote(to, exact)
        self.new_local(type_, dims, f"yoke::{call}", py, exact, suffix)
        return None

    def reduction(self):
        view = self.operand_view(exact=self.is_exact, least_rank=1)
        if view is None or not view.dims:
            return
        names = ["any", "all", "count"] if view.exact else []
        if view.exact and kind_of(view.type) != "complex":
            names += ["min", "max", "argmin", "argmax"]
        if not self.is_exact or kind_of(view.type) in ("int", "bool"):
            names += ["sum"] * 4
        if kind_of(view.type) in ("int", "bool"):
            names += ["prod"]
        name = self.pick(names or ["sum"])
        kinds = ["bool", "int"] if name == "prod" or (name == "sum" and self.is_exact) else ["bool", "int", "real"]
        of = self.of_view(view, name != "sum" or self.is_exact, [kind_of(view.type)] if kind_of(view.type) in kinds else kinds)
        type_ = {"any": "b1", "all": "b1", "count": "i64", "argmin": "i64", "argmax": "i64"}.get(name)
        if type_ is None:
            type_ = sum_type(of.type) if name in ("sum", "prod") else computed(of.type)
        exact = name in ("any", "all", "count", "argmin", "argmax") or type_[0] not in "fc"
        if self.is_exact and not exact:
            return
        axes, keep, dims = None, False, []
        rank = len(view.dims)
        if self.chance(0.65):
            count = 1 if name.startswith("arg") else self.random.randint(1, rank)
            axes = self.random.sample(range(rank), count)
            keep = self.chance(0.3) and not name.startswith("arg")
            dims = [ONE if axis in axes else dim for axis, dim in enumerate(view.dims) if keep or axis not in axes]
            axes = [axis - rank if self.chance(0.3) else axis for axis in axes]
        along = "" if axes is None else f", along({', '.join(map(str, axes))}){'.keep_dims()' if keep else ''}"
        if name.startswith("arg"):
            py = f"place('{name}', {of.py}{'' if axes is None else f', {axes[0]}'})"
        else:
            call = {"sum": "sum_(", "prod": "product("}.get(name, ("extreme" if name in ("min", "max") else "logical") + f"('{name}', ")
            py = f"{call}{of.py}, {None if axes is None else axes}, {keep})"
        self.result(type_, dims, f"{name}({of.cpp}{along})", py, exact, ".array()" if axes is None else "")

    def whole_value(self):
        """A single value in an expression: `p = p - max(p)`."""
        view = self.operand_view(("int", "real"), 1)
        to = self.destination()
        if view is None or kind_of(to.type) == "bool" or not view.dims:
            return
        name = self.pick(["min", "max"])
        if kind_of(view.type) == "real" and self.is_exact:
            return
        exact = kind_of(view.type) != "real"
        made = self.new_local(computed(view.type), [], f"yoke::{name}({view.cpp})", f"extreme('{name}', {view.py})", exact, ".array()")
        single = Expression(self.pick([made.cpp, made.name]), made.name, made.type, made.exact)
        own = self.expression("int" if kind_of(to.type) == "int" else "real", 1, to.dims, self.is_exact)
        if own is None:
            return
        type_ = common(own.type, made.type)
        if kind_of(type_) == "complex" or not converts(type_, to.type):
            return
        if kind_of(type_) == "real":
            of = self.arithmetic("-", own, single, self.is_exact)
        else:
            of = Expression(f"({own.cpp} - {single.cpp})", f"sub('{type_}', {own.py}, {single.py})", type_)
        if of is not None:
            self.add(f"{to.cpp} = {of.cpp};", f"assign({to.py}, {of.py})")
            self.wrote(to, of.exact)

    def inside(self):
        """Reductions inside of an expression: `p = q - pass::max(q, along(1).keep_dims())`."""
        to = self.destination(1)
        if to is None or not to.dims:
            return
        kind = "int" if kind_of(to.type) == "int" else "real"
        parts, rank = [], len(to.dims)
        count = self.random.choices((rank, 1), (1, 6))[0]
        axes = sorted(self.random.sample(range(rank), count)) if self.chance(0.4) else list(range(rank - count, rank))
        for _ in range(self.pick([1, 1, 2])):
            views = [self.view_for(each, to.dims, True) for each in self.variables
                     if each.exact and kind_of(each.type) == kind and len(each.dims) >= rank]
            views = [each for each in views if each is not None and each.dims == to.dims]
            if not views:
                return
            view = self.pick(views)
            of = self.of_view(view, True, [kind])
            if parts and kind == "real" and self.chance(0.4):  # a reduction in the operand of another
                of = self.where(Expression(f"({of.cpp} < {parts[0].cpp})", f"compare('<', '{common(of.type, parts[0].type)}', {of.py}, "
                                           f"{parts[0].py})", "b1"), of, parts[0])
            names = ["min", "max", "any", "count"] + (["sum", "prod"] if kind == "int" else [])
            name = self.pick(names)
            type_ = {"any": "b1", "count": "i64"}.get(name) or (sum_type(of.type) if name in ("sum", "prod") else computed(of.type))
            call = {"sum": "sum_(", "prod": "product("}.get(name, ("extreme" if name in ("min", "max") else "logical") + f"('{name}', ")
            parts.append(Expression(f"yoke::pass::{name}({of.cpp}, along({', '.join(map(str, axes))}).keep_dims())",
                                    f"{call}{of.py}, {axes}, True)", type_))
        own = self.expression(kind, 1, to.dims, True)
        if own is None:
            return
        for each in parts:
            type_ = common(own.type, each.type)
            if self.chance(0.5):
                condition = Expression(f"({own.cpp} < {each.cpp})", f"compare('<', '{type_}', {own.py}, {each.py})", "b1")
                own = self.where(condition, own, each)
            elif kind == "int":
                own = Expression(f"({own.cpp} - {each.cpp})", f"sub('{type_}', {own.py}, {each.py})", type_)
            else:
                own = Expression(f"yoke::max({own.cpp}, {each.cpp})", f"greatest('{type_}', {own.py}, {each.py})", type_)
        if kind_of(own.type) == "complex" or not converts(own.type, to.type) or len(re.findall(r"\b[pt]\d", own.cpp)) > 14:
            return
        self.add(f"{to.cpp} = {own.cpp};", f"assign({to.py}, {own.py})")
        self.wrote(to, True)

    def scan(self):
        kinds = ("bool", "int") if self.is_exact else ("bool", "int", "real", "complex")
        view = self.operand_view(kinds, 1, exact=self.is_exact)
        if view is None or not view.dims:
            return
        of = self.of_view(view, self.is_exact, [kind_of(view.type)])
        name, py = "cumsum", f"cumsum({of.py}"
        type_ = sum_type(of.type)
        if self.chance(0.4) and of.exact and kind_of(view.type) != "complex":
            name = self.pick(["cummin", "cummax"])
            type_ = "i32" if of.type == "b1" else computed(of.type)
            py = f"extreme_so_far('{name}', {of.py}"
        exact = type_[0] not in "fc"
        if self.chance(0.5):
            return self.result(type_, [self.flat(view.dims)], f"{name}({of.cpp})", f"{py})", exact)
        axis = self.random.randrange(len(view.dims))
        axis = axis - len(view.dims) if self.chance(0.3) else axis
        return self.result(type_, view.dims, f"{name}({of.cpp}, along({axis}))", f"{py}, {axis})", exact)

    def rows(self):
        view = self.operand_view(("int", "real"), 1)
        if view is None or not view.dims or self.is_exact:
            return None
        of = self.of_view(view, True, [kind_of(view.type)])
        type_ = "f32" if of.type in ("f16", "f32") else "f64"
        rank = len(view.dims)
        axes = self.random.sample(range(rank), 1 if self.chance(0.7) else self.random.randint(1, rank))
        given = [axis - rank if self.chance(0.3) else axis for axis in axes]
        along = f"along({', '.join(map(str, given))})"
        name = self.pick(["softmax", "log_softmax", "logsumexp", "normalise"])
        if name == "logsumexp":
            keep = self.chance(0.3)
            dims = [ONE if axis in axes else dim for axis, dim in enumerate(view.dims) if keep or axis not in axes]
            if not dims:
                return None
            return self.result(type_, dims, f"logsumexp({of.cpp}, {along}{'.keep_dims()' if keep else ''})",
                               f"logsumexp({of.py}, {given}, {keep})", False)
        options = ", {.epsilon = 1}" if name == "normalise" else ""
        return self.result(type_, view.dims, f"{name}({of.cpp}, {along}{options})", f"{name}({of.py}, {given})", False)

    def counted(self):
        view = self.operand_view(("int", "real"), 1)
        if view is None or not view.dims:
            return None
        of = self.of_view(view, True, [kind_of(view.type)])
        if kind_of(of.type) == "int" and self.chance(0.6):
            bins = self.pick([0, 1, 3, 8, 100, 1000])
            call, py = f"bincount({of.cpp}, {bins})", f"bincount({of.py}, {bins})"
        elif kind_of(of.type) == "int" or of.type == "f64":
            bins = self.pick([1, 2, 7, 100])
            low, high = self.pick([(-8, 8), (0, 10), (-100, 100), (0.5, 3.25)])
            call, py = (f"histogram({each}, {bins}, {low}, {high})" for each in (of.cpp, of.py))
        else:
            return None
        return self.result("i64", [(str(bins), (bins,) * len(SAMPLES))], call, py, True)

    ORDERED = ("bool", "int", "real")

    def descending(self):
        return (", {.descending = true}", ", True") if self.chance(0.5) else ("", "")

    def sort(self):
        view = self.destination(1, [each for each in ELEMENTS if each != "c64"])
        if view is None or not view.dims or not view.of.exact:
            return
        by = self.descending()
        self.add(f"yoke::sort({view.cpp}{by[0]});", f"write({view.py}, sorted_({view.py}{by[1]}))")
        self.wrote(view, True)

    def sorted(self):
        view = self.operand_view(self.ORDERED, 1)
        if view is None or not view.dims:
            return
        of = self.of_view(view, True, [kind_of(view.type)])
        by = self.descending()
        if self.chance(0.5):
            type_ = of.type if of.cpp == view.cpp else computed(of.type)
            return self.result(type_, view.dims, f"sorted({of.cpp}{by[0]})", f"sorted_({of.py}{by[1]})", True)
        index = self.pick(["i32", "i64"])
        return self.result(index, view.dims, f"argsort<{index}>({of.cpp}{by[0]})",
                           f"argsort('{index}', {of.py}{by[1]})", True)

    def by_key(self):
        keys = self.destination(1, [each for each in ELEMENTS if each != "c64"])
        if keys is None or not keys.dims or not keys.of.exact:
            return
        for each in self.random.sample(self.parameters, len(self.parameters)):
            if each is keys.of or each.indices:
                continue
            values = self.view_for(each, keys.dims, True)
            if values is not None and len(values.dims) == len(keys.dims):
                by = self.descending()
                self.may_alias = False
                self.add(f"yoke::sort_by_key({keys.cpp}, {values.cpp}{by[0]});", f"sort_by_key({keys.py}, {values.py}{by[1]})")
                self.wrote(keys, True)
                return self.wrote(values, values.exact)
        return None

    def indices(self, rank=None):
        found = [each for each in self.variables if each.indices] or [each for each in self.variables if each.type in INTEGERS]
        found = [each for each in found if each.exact and each.dims and (rank is None or len(each.dims) >= rank)]
        if not found:
            return None
        of = self.pick(found)
        view = self.any_view(of, 1)
        if rank is not None:
            return view if len(view.dims) == rank else None
        return view

    def take(self):
        view = self.operand_view(exact=self.is_exact, least_rank=1)
        if view is None or not view.dims:
            return
        if self.chance(0.5):
            at = self.indices()
            if at is not None and at.dims:
                self.result(view.type, at.dims, f"take({view.cpp}, {at.cpp})", f"take({view.py}, {at.py})", view.exact)
            return
        at = self.indices(1)
        if at is None:
            return
        axis = self.random.randrange(len(view.dims))
        dims = list(view.dims)
        dims[axis] = at.dims[0]
        self.result(view.type, dims, f"take({view.cpp}, {at.cpp}, along({axis}))", f"take({view.py}, {at.py}, {axis})",
                    view.exact)

    def put(self):
        if self.is_exact:
            return
        at = self.indices()
        to = self.destination(1)
        if at is None or not at.dims or not to.dims or at.of is to.of:
            return
        if self.chance(0.4):
            of = self.given(to.type)
        else:
            of = None
            for each in self.random.sample(self.variables, len(self.variables)):
                if not converts(each.type, to.type):
                    continue
                view = self.view_for(each, at.dims, True)
                if view is not None and len(view.dims) == len(at.dims):
                    of = Expression(view.cpp, view.py, view.type, view.exact)
            if of is None:
                return
        self.may_alias = False
        self.add(f"yoke::put({to.cpp}, {at.cpp}, {of.cpp});", f"put({to.py}, {at.py}, {of.py})")
        self.wrote(to, False)

    def select(self):
        view = self.operand_view(exact=self.is_exact, least_rank=1)
        if view is None or not view.dims or not view.exact or kind_of(view.type) == "complex":
            return
        test = self.number("int")
        mask = (f"({view.cpp} > {test.cpp})", f"compare('>', '{common(view.type, test.type)}', {view.py}, {test.py})")
        name = f"t{self.locals}"
        self.locals += 1
        if self.chance(0.6):
            self.add(f"auto {name} = yoke::copy_if({view.cpp}, {mask[0]});\n  c.keep({name}.view().copy());",
                     f"keep(copy_if({view.py}, {mask[1]}))")
        else:
            self.add(f"auto {name} = yoke::indices_where({mask[0]});\n  c.keep({name}.view().copy());", f"keep(indices_where({mask[1]}))")

    def fill(self):
        to = self.destination()
        of = self.given(to.type)
        self.add(f"{to.cpp}.fill({of.cpp});" if self.chance(0.5) else f"{to.cpp} = {of.cpp};", f"assign({to.py}, {of.py})")
        self.wrote(to, True)
        to.of.exact = to.exact

    def host(self):
        view = self.operand_view(("int", "real", "complex"), exact=self.is_exact)
        if view is None or view.cpp == view.of.name and view.of.is_local or ".array()" in view.cpp:
            return
        self.add(f"c.keep_host({view.cpp});", f"keep({view.py})")

    # --- what is written

    def cpp_text(self):
        body = "\n".join("  " + each for each in self.cpp)
        used = [each for each in self.parameters if re.search(rf"\b{each.name}\b", body)]
        lines = [f"  auto {each.name} = c.array<{cpp_type(each.type)}, {len(each.dims)}>({each.name[1:]});" for each in used]
        return "\n".join([f"void function_{self.index}(call& c) {{", *lines, body, "}"])

    def py_text(self):
        names = ", ".join(each.name for each in self.parameters)
        return "\n".join([f"def function_{self.index}(p, n, keep):", f"    {names}, = p", *("    " + each for each in self.py)])

    def description(self):
        return {
            "parameters": [{"type": each.type, "extents": [sym for sym, _ in each.dims], "written": each.written,
                            "indices": each.indices} for each in self.parameters],
            "numbers": self.numbers,
            "exact": self.is_exact,
            "may_alias": self.may_alias and self.is_exact,
        }


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--unit", type=int, default=20)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    functions = [Function(options.seed, number) for number in range(options.count)]
    for unit, first in enumerate(range(0, options.count, options.unit)):
        some = functions[first:first + options.unit]
        texts = "\n\n".join(each.cpp_text() for each in some)
        names = ", ".join(f"&function_{each.index}" for each in some)
        (options.output / f"unit_{unit}.cpp").write_text(
            f"// SPDX-License-Identifier: MIT\n// Written by tests/array_fuzz/generate.py --seed {options.seed}.\n"
            f"#include <array_fuzz/program.hpp>\n\nnamespace yoke_fuzz {{\n\nnamespace {{\n\n{texts}\n\n"
            f"[[maybe_unused]] const bool added = add_functions({first}, {{{names}}});\n\n}}  // namespace\n\n"
            f"}}  // namespace yoke_fuzz\n", encoding="utf-8")
    twins = "\n\n\n".join(each.py_text() for each in functions)
    descriptions = "\n".join(f"    {each.description()!r}," for each in functions)
    sources = "\n".join(f"    {each.cpp_text()!r}," for each in functions)
    (options.output / "twins.py").write_text(
        f"# SPDX-License-Identifier: MIT\n# Written by tests/array_fuzz/generate.py --seed {options.seed}.\n"
        f"from twin import *\n\n\n{twins}\n\n\n"
        f"SEED = {options.seed}\nFUNCTIONS = [{', '.join(f'function_{each.index}' for each in functions)}]\n"
        f"DESCRIPTIONS = [\n{descriptions}\n]\nSOURCES = [\n{sources}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
