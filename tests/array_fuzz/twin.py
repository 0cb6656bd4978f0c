# SPDX-License-Identifier: MIT
# What the NumPy twins of generated functions are made of: yoke's operations, with the types that C++ gives them.
"""Values carry what is known of them: `v`, the elements, and `t`, how far each may be from the device's: None means the same
bits, a number an absolute distance, infinity that any value is right.
"""
import numpy as np

TYPES = {
    "b1": np.bool_, "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32,
    "i64": np.int64, "u64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64, "c64": np.complex64,
    "c128": np.complex128,
}
NAMES = {np.dtype(each): name for name, each in TYPES.items()}
SIZES = {name: np.dtype(each).itemsize for name, each in TYPES.items()}

# Mistakes that the fuzzer has to find: --self-test plants each of them.
MISTAKES = {
    "overlap": "an assignment between overlapping parts of one array reads what it has written",
    "division": "integers are divided as Python does, towards minus infinity",
    "unsigned": "a comparison of a signed and an unsigned integer is that of their values",
    "nan": "minima and maxima leave NaN out",
    "narrow": "sums and products of small integers keep their type",
    "descending": "a descending sort turns equal elements around",
    "backwards": "a slice with a step below 0 ends one element early",
    "outside": "a histogram counts what is outside in the last interval",
    "shifted": "the logarithm of a softmax leaves out the greatest element of its row",
    "beyond": "an assignment to a part with gaps writes the element behind it",
}
planted = None


class Refused(Exception):
    """What yoke refuses by a logic_error."""


class Value:
    __slots__ = ("v", "t")

    def __init__(self, v, t=None):
        self.v = v
        self.t = t


class Array:
    """An array or a view: elements that can be written. Bools are bytes, any of which but 0 is true."""
    __slots__ = ("v", "t", "type")

    def __init__(self, v, type_, t=None):
        self.v = v
        self.t = t
        self.type = type_

    def __getitem__(self, items):
        if not isinstance(items, tuple):
            items = (items,)
        if planted == "backwards":
            items = tuple(slice(each.start, -len(self.v) + 1, each.step) if isinstance(each, slice) and each.step is not None
                          and each.step < 0 and each.stop is None and self.v.ndim and len(self.v) > 2 else each for each in items)
        try:
            return Array(self.v[items + (Ellipsis,)] if Ellipsis not in items else self.v[items], self.type,
                         None if self.t is None else self.t[items + (Ellipsis,)] if Ellipsis not in items else self.t[items])
        except IndexError as e:
            raise Refused(str(e)) from e

    def transpose(self, *order):
        return Array(self.v.transpose(*order), self.type, None if self.t is None else self.t.transpose(*order))

    def reshape(self, *extents):
        """Of arrays without gaps in C order."""
        return Array(reshaped(self.v, extents), self.type, None if self.t is None else reshaped(self.t, extents))


def reshaped(v, extents):
    try:
        return v.reshape(extents)
    except ValueError as e:
        raise Refused(str(e)) from e


def value(of):
    t = of.t if of.t is not None and np.any(of.t) else None
    if isinstance(of, Array) and of.type == "b1" and of.v.dtype != np.bool_:
        return Value(of.v != 0, t)
    return Value(of.v, t)


def type_of(of):
    return NAMES[of.v.dtype]


def epsilon(type_):
    return float(np.finfo(TYPES[type_]).eps) if is_real(type_) else 0.0


def tiny(type_):
    return float(np.finfo(TYPES[type_]).tiny) if is_real(type_) else 0.0


def most(type_):
    return float(np.finfo(TYPES[type_]).max) if is_real(type_) else np.inf


def magnitude(v):
    return np.abs(v).astype(np.float64)


def distance_of(x, like):
    return np.zeros(np.shape(like)) if x.t is None else x.t


def is_real(type_):
    return type_[0] in "fc"


def convert(x, type_):
    """As C++ converts. Real numbers become integers only where they fit."""
    have = type_of(x)
    if have == type_:
        return x
    with np.errstate(all="ignore"):
        if type_ == "b1":
            return Value(x.v != 0, x.t)
        if type_ == "f16" and not is_real(have):
            return Value(x.v.astype(np.float64).astype(np.float16), x.t)
        made = x.v.astype(TYPES[type_])
    t = x.t
    if t is not None and type_ in ("f16", "f32", "c64") and have in ("f32", "f64", "c64", "c128"):
        size = magnitude(made)
        t = t + epsilon(type_) * size + np.where(t > 0, tiny(type_), 0)
        t = np.where(np.nan_to_num(size, posinf=np.inf) + t > 0.99 * most(type_), np.where(x.t > 0, np.inf, t), t)
        t = np.where(np.isnan(t), np.inf, t)
    return Value(made, t)


def both(type_, *of):
    return [convert(value(each), type_) for each in of]


def broadcast(*arrays):
    try:
        return np.broadcast_shapes(*[np.shape(each) for each in arrays])
    except ValueError as e:
        raise Refused(str(e)) from e


def number(type_, v):
    return Value(np.asarray(v, TYPES[type_]))


def given(type_, of):
    """A number that is given for elements has to be one of them."""
    have, x = type_of(of), of.v.item()
    if have == type_:
        return of
    if not is_real(type_):
        low, high = (0, 1) if type_ == "b1" else (np.iinfo(TYPES[type_]).min, np.iinfo(TYPES[type_]).max)
        if not low <= x <= high:
            raise Refused(f"{x} is outside {low} .. {high}")
        return number(type_, x)
    with np.errstate(all="ignore"):
        made = convert(of, type_)
    if not is_real(have):
        if complex(made.v.item()) != x:
            raise Refused(f"{type_} has no {x}")
    elif np.isfinite(of.v) and not np.isfinite(made.v):
        raise Refused(f"{x} is infinite as {type_}")
    return made


# --- operators: the first argument is the type that they calculate in ---------------------------------------------------


def joined(x, y, made, t):
    """Distances count where the result is finite; elsewhere only exact operands make a result that is known."""
    if t is None:
        return Value(made)
    known = np.isfinite(made)
    inexact = (distance_of(x, made) > 0) | (distance_of(y, made) > 0)
    return Value(made, np.where(known, t, np.where(inexact, np.inf, 0)))


def calculated_in(type_, a, b):
    narrow = planted == "narrow" and not is_real(type_) and type_of(value(a)) == type_of(value(b)) != "b1"
    return type_of(value(a)) if narrow else type_


def add(type_, a, b, contracted=False, sign=1):
    type_ = calculated_in(type_, a, b)
    x, y = both(type_, a, b)
    broadcast(x.v, y.v)
    with np.errstate(all="ignore"):
        made = x.v + y.v if sign > 0 else x.v - y.v
        if x.t is None and y.t is None and not contracted:
            return Value(made)
        t = np.where(np.isfinite(made), distance_of(x, x.v) + distance_of(y, y.v), 0)
        if contracted or x.t is not None or y.t is not None:
            t = t + 4 * epsilon(type_) * np.nan_to_num(magnitude(x.v) + magnitude(y.v), posinf=0, nan=0) + tiny(type_)
        if contracted:  # a product that is not rounded may be finite where it would not be, and the other way round
            return Value(made, np.where(np.isfinite(made) & (magnitude(made) < 0.99 * most(type_)), t, np.inf))
    return joined(x, y, made, t)


def sub(type_, a, b, contracted=False):
    return add(type_, a, b, contracted, -1)


def is_complex(type_):
    return type_[0] == "c"


def mul(type_, a, b):
    type_ = calculated_in(type_, a, b)
    x, y = both(type_, a, b)
    broadcast(x.v, y.v)
    with np.errstate(all="ignore"):
        made = x.v * y.v
        if x.t is None and y.t is None and not is_complex(type_):
            return Value(made)
        sizes = np.nan_to_num(magnitude(x.v), posinf=0, nan=0), np.nan_to_num(magnitude(y.v), posinf=0, nan=0)
        t = (sizes[0] * distance_of(y, y.v) + sizes[1] * distance_of(x, x.v) + distance_of(x, x.v) * distance_of(y, y.v) +
             4 * epsilon(type_) * sizes[0] * sizes[1] + tiny(type_))
        # Products with infinite parts may be NaN; those near the limit may overflow on the way.
        return Value(made, np.where(np.isfinite(made) & (magnitude(made) < 0.1 * most(type_)), t, np.inf))


def div(type_, a, b):
    x, y = both(type_, a, b)
    broadcast(x.v, y.v)
    with np.errstate(all="ignore"):
        if not is_real(type_):
            return Value(whole_quotient(x.v, y.v))
        made = (x.v / y.v).astype(TYPES[type_])
        if is_complex(type_):
            size = magnitude(made)
            t = 8 * epsilon(type_) * size + tiny(type_)
            return Value(made, np.where(np.isfinite(made) & (size < 0.1 * most(type_)) &
                                        (magnitude(y.v) > 100 * tiny(type_)), t, np.inf))
        if type_ == "f64":
            return Value(made)
        size = magnitude(made)
        return Value(made, np.where(np.isfinite(made), 4 * epsilon(type_) * size + tiny(type_), 0))


def whole_quotient(x, y):
    """As C++, towards 0; 0 for a divisor of 0, and wrapped for the least integer by -1."""
    shape = np.broadcast_shapes(x.shape, y.shape)
    x, y = np.broadcast_to(x, shape), np.broadcast_to(y, shape)
    signed = np.issubdtype(x.dtype, np.signedinteger)
    safe = np.where((y == 0) | ((y == -1) if signed else False), np.ones_like(y), y)
    made = np.asarray(x // safe)
    if signed:
        if planted != "division":
            rest = x - made * safe
            made = made + ((rest != 0) & ((x < 0) != (safe < 0))).astype(made.dtype)
        made = np.where(y == -1, np.negative(x), made)
    return np.where(y == 0, np.zeros_like(made), made)


def mod(type_, a, b):
    x, y = both(type_, a, b)
    broadcast(x.v, y.v)
    with np.errstate(all="ignore"):
        made = x.v - whole_quotient(x.v, y.v) * y.v
        return Value(np.where(y.v == 0, np.zeros_like(made), made))


def bits(name, type_, a, b):
    x, y = both(type_, a, b)
    broadcast(x.v, y.v)
    return Value({"&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor}[name](x.v, y.v))


def shift(name, type_, a, b):
    """`b` is at least 0 and less than the bits of `type_`."""
    x, y = convert(value(a), type_), convert(value(b), type_)
    broadcast(x.v, y.v)
    return Value(np.left_shift(x.v, y.v) if name == "<<" else np.right_shift(x.v, y.v))


def negative(type_, a):
    x, = both(type_, a)
    with np.errstate(all="ignore"):
        return Value(np.negative(x.v), x.t)


def complement(type_, a):
    x, = both(type_, a)
    return Value(np.invert(x.v))


COMPARISONS = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal}


def compare(name, type_, a, b):
    if planted == "unsigned" and type_ in ("u32", "u64"):
        type_ = "f64"
    x, y = both(type_, a, b)
    broadcast(x.v, y.v)
    return Value(COMPARISONS[name](x.v, y.v))


def truth(name, a, b=None):
    x = value(a).v != 0
    if name == "!":
        return Value(~x)
    y = value(b).v != 0
    broadcast(x, y)
    return Value(x & y if name == "&&" else x | y)


def where(type_, c, a, b):
    x, y = both(type_, a, b)
    condition = value(c).v != 0
    broadcast(condition, x.v, y.v)
    t = None if x.t is None and y.t is None else np.where(condition, distance_of(x, x.v), distance_of(y, y.v))
    return Value(np.where(condition, x.v, y.v), t)


def is_nan(v):
    return v != v


def least(type_, a, b):
    x, y = both(type_, a, b)
    broadcast(x.v, y.v)
    nan = is_nan(y.v) if planted != "nan" else is_nan(x.v)
    return Value(np.where((y.v < x.v) | nan, y.v, x.v))


def greatest(type_, a, b):
    x, y = both(type_, a, b)
    broadcast(x.v, y.v)
    nan = is_nan(y.v) if planted != "nan" else is_nan(x.v)
    return Value(np.where((x.v < y.v) | nan, y.v, x.v))


def clamp(type_, a, b, c):
    x, y, z = both(type_, a, b, c)
    broadcast(x.v, y.v, z.v)
    return Value(np.where(is_nan(y.v), y.v, np.where(is_nan(z.v), z.v, np.where(x.v < y.v, y.v, np.where(z.v < x.v, z.v, x.v)))))


def absolute(type_, a):
    x, = both(type_, a)
    with np.errstate(all="ignore"):
        if not is_complex(type_):
            return Value(np.abs(x.v), x.t)
        made = np.abs(x.v)
        part = NAMES[made.dtype]
        return Value(made, np.where(np.isfinite(made), distance_of(x, made) + 8 * epsilon(part) * made + tiny(part), 0))


def cast(type_, a):
    return convert(value(a), type_)


def part(name, a):
    x = value(a)
    return Value({"real": np.real, "imag": np.imag, "conj": np.conj}[name](x.v), x.t)


def away(x):
    """Rounds halves away from 0."""
    down = np.trunc(x)
    return down + np.where(np.abs(x - down) >= 0.5, np.copysign(x.dtype.type(1), x), x.dtype.type(0))


EXACT = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint, "round": away, "fabs": np.fabs}
ROUNDED = {"sqrt": np.sqrt, "exp": np.exp, "sin": np.sin, "cos": np.cos, "log": np.log, "tanh": np.tanh}
CLASSES = {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite}
OF_TWO = {"fmin": np.fmin, "fmax": np.fmax}


def function(name, type_, *of):
    values = both(type_, *of)
    with np.errstate(all="ignore"):
        if name in EXACT:
            made = EXACT[name](values[0].v)
            if name == "round":
                made = np.where(np.isfinite(values[0].v), np.copysign(made, values[0].v), values[0].v).astype(made.dtype)
            return Value(made)
        if name in CLASSES:
            return Value(CLASSES[name](values[0].v))
        if name in OF_TWO:
            broadcast(*[each.v for each in values])
            made = OF_TWO[name](values[0].v, values[1].v)
            return Value(made, np.zeros(made.shape))  # 0 and -0 are equal
        made = ROUNDED[name](values[0].v)
        size = np.where(np.isfinite(made), magnitude(made), 0)
        return Value(made, np.where(size > 0.99 * most(type_), np.inf, 16 * epsilon(type_) * (size + tiny(type_)) + tiny(type_)))


# --- reductions, scans, sorts, indices ----------------------------------------------------------------------------------


def axes_of(x, axes):
    if axes is None:
        return tuple(range(x.ndim))
    for each in axes:
        if not -x.ndim <= each < x.ndim:
            raise Refused(f"axis {each} of {x.ndim}")
    return tuple(each % x.ndim for each in axes)


def left_of(extents, axes, keep=False):
    """Returns: the extents of what is reduced along axes. Where there are no results, NumPy refuses more than yoke."""
    return tuple(1 if axis in axes else extent for axis, extent in enumerate(extents) if keep or axis not in axes)


def sum_type(type_):
    if type_ in ("f16", "f32"):
        return "f32"
    if is_real(type_):
        return type_
    return "u64" if type_[0] == "u" else "i64"


def sum_(a, axes=None, keep=False):
    x = value(a)
    to = sum_type(type_of(x))
    x = convert(x, to)
    along = axes_of(x.v, axes)
    with np.errstate(all="ignore"):
        made = np.sum(x.v, axis=along, keepdims=keep, dtype=TYPES[to])
        if not is_real(to):
            return Value(np.asarray(made))
        return rounded_sum(x, np.asarray(made), lambda v: np.sum(v, axis=along, keepdims=keep), to)


def product(a, axes=None, keep=False):
    """Of integers."""
    x = value(a)
    x = convert(x, sum_type(type_of(x)))
    with np.errstate(all="ignore"):
        return Value(np.asarray(np.prod(x.v, axis=axes_of(x.v, axes), keepdims=keep, dtype=x.v.dtype)))


def rounded_sum(x, made, total, to):
    """A sum in another order: the distance grows with the number of elements and their sizes."""
    sizes = np.where(np.isfinite(x.v), magnitude(x.v), 0)
    odd = total((~np.isfinite(x.v)).astype(np.float64))
    size = np.asarray(total(sizes))
    t = 4 * epsilon(to) * size * (2 + np.sqrt(x.v.size)) + np.asarray(total(distance_of(x, x.v)))
    # What overflows on the way depends on the order; infinities and NaN do not, but for complex numbers.
    wide = np.asarray(total(x.v.astype(np.complex128 if is_complex(to) else np.float64)))
    made = np.where(odd > 0, wide.astype(made.dtype), made)
    t = np.where(odd > 0, 0.0, t)
    return Value(made, np.where((size > 0.2 * most(to)) | ((odd > 0) & is_complex(to)), np.inf, t))


JOINS = {"min": np.minimum, "max": np.maximum}
JOINS_BUT_NAN = {"min": np.fmin, "max": np.fmax}


def extreme(name, a, axes=None, keep=False):
    x = value(a)
    if type_of(x) == "f16":
        x = convert(x, "f32")
    along = axes_of(x.v, axes)
    shape = left_of(x.v.shape, along, keep)
    if 0 in shape:
        return Value(np.zeros(shape, x.v.dtype))
    if x.v.size == 0:
        raise Refused("the least of no elements")
    with np.errstate(all="ignore"):
        join = (JOINS_BUT_NAN if planted == "nan" else JOINS)[name]
        made = np.asarray(join.reduce(x.v, axis=along, keepdims=keep)) if along else x.v
    return Value(made, np.zeros(made.shape) if is_real(type_of(x)) else None)  # 0 and -0 are equal


def place(name, a, axis=None):
    x = value(a).v
    if axis is None:
        x, axis = x.ravel(), 0
    axis, = axes_of(x, (axis,))
    shape = left_of(x.shape, (axis,))
    if 0 in shape:
        return Value(np.zeros(shape, np.int64))
    if x.size == 0:
        raise Refused("the place of the least of no elements")
    return Value(np.asarray({"argmin": np.argmin, "argmax": np.argmax}[name](x, axis=axis)).astype(np.int64))


def logical(name, a, axes=None, keep=False):
    x = value(a).v != 0
    along = axes_of(x, axes)
    run = {"any": np.any, "all": np.all, "count": np.sum}[name]
    made = np.asarray(run(x, axis=along, keepdims=keep)) if along else x
    return Value(made.astype(np.int64 if name == "count" else np.bool_))


def cumsum(a, axis=None):
    x = value(a)
    to = sum_type(type_of(x))
    x = convert(x, to)
    if axis is None:
        x = Value(x.v.ravel(), None if x.t is None else x.t.ravel())
        axis = 0
    axis, = axes_of(x.v, (axis,))
    with np.errstate(all="ignore"):
        made = np.cumsum(x.v, axis=axis, dtype=TYPES[to])
        if not is_real(to):
            return Value(made)
        return rounded_sum(x, made, lambda v: np.cumsum(v, axis=axis), to)


def extreme_so_far(name, a, axis=None):
    x = value(a)
    x = convert(x, {"b1": "i32", "f16": "f32"}.get(type_of(x), type_of(x))).v
    if axis is None:
        x, axis = x.ravel(), 0
    axis, = axes_of(x, (axis,))
    with np.errstate(all="ignore"):
        made = (JOINS_BUT_NAN if planted == "nan" else JOINS)[name.removeprefix("cum")].accumulate(x, axis=axis)
    return Value(made, np.zeros(made.shape) if made.dtype.kind == "f" else None)  # 0 and -0 are equal


# --- rows and counts ----------------------------------------------------------------------------------------------------


def computed_row(type_):
    return "f32" if type_ in ("f16", "f32") else "f64"


def rows(a, axes):
    """Returns: the elements in double, the type of the results, its epsilon, and the axes of a row."""
    x = value(a)
    to = computed_row(type_of(x))
    v = convert(x, to).v.astype(np.float64)
    return v, to, epsilon(to), axes_of(v, axes)


def exponentials(v, along):
    with np.errstate(all="ignore"):
        top = np.max(v, axis=along, keepdims=True) if v.size else np.zeros(left_of(v.shape, along, True))
        below = np.where(v == -np.inf, -np.inf, v - np.where(np.isfinite(top), top, 0))
        parts = np.exp(below)
        return top, np.where(np.isfinite(below), np.abs(below), 0), parts, np.sum(parts, axis=along, keepdims=True)


def count_along(v, along):
    return float(np.prod([v.shape[each] for each in along], dtype=np.int64)) if along else 1.0


def softmax(a, axes):
    v, to, eps, along = rows(a, axes)
    top, below, parts, total = exponentials(v, along)
    with np.errstate(all="ignore"):
        made = np.where(np.isinf(top), np.nan, parts / total)
        t = np.nan_to_num(made) * eps * (32 + 4 * below + count_along(v, along)) + 64 * tiny(to)
        return Value(made.astype(TYPES[to]), np.where(np.isfinite(made), t, 0))


def log_of_sum(a, axes):
    v, to, eps, along = rows(a, axes)
    top, _, _, total = exponentials(v, along)
    with np.errstate(all="ignore"):
        made = np.where(np.isfinite(top), (0 if planted == "shifted" else top) + np.log(total), top)
        t = eps * (4 * np.nan_to_num(np.abs(made), posinf=0, neginf=0) + 4 * np.nan_to_num(np.abs(top), posinf=0, neginf=0) + 32 +
                   count_along(v, along))
        return v, to, along, made, np.where(np.isfinite(made), t, 0)


def logsumexp(a, axes, keep=False):
    v, to, along, made, t = log_of_sum(a, axes)
    shape = left_of(v.shape, along, keep)
    if 0 in shape:
        return Value(np.zeros(shape, TYPES[to]))
    if v.size == 0:
        raise Refused("the sum of no elements")
    return Value(made.reshape(shape).astype(TYPES[to]), t.reshape(shape))


def log_softmax(a, axes):
    v, to, _, total, far = log_of_sum(a, axes)
    with np.errstate(all="ignore"):
        made = np.where(np.isinf(total), np.nan, v - total) if v.size else v
        t = np.where(np.isfinite(made), far + 4 * epsilon(to) * np.nan_to_num(np.abs(v), posinf=0, neginf=0), 0) if v.size else None
        narrow = made.astype(TYPES[to])
        return Value(narrow, None if t is None else np.where(np.isfinite(narrow), t, 0))


def normalise(a, axes):
    """With an epsilon of 1."""
    v, to, eps, along = rows(a, axes)
    if v.size == 0:
        return Value(v.astype(TYPES[to]))
    count = count_along(v, along)
    with np.errstate(all="ignore"):
        size = np.max(np.abs(v), axis=along, keepdims=True)
        mean = np.mean(v, axis=along, keepdims=True)
        scale = np.sqrt(np.mean((v - mean) ** 2, axis=along, keepdims=True) + 1)
        made = (v - mean) / scale
        t = eps * (16 + count) * (np.nan_to_num(np.abs(made)) + size / scale * (1 + size / scale))
        known = np.isfinite(size) & (size < np.sqrt(most(to)) * 1e-3)
        return Value(made.astype(TYPES[to]), np.where(known, t, np.where(np.isnan(made), 0, np.inf)))


def bincount(a, count):
    v = value(a).v.ravel()
    v = v[(v >= 0) & (v < count)] if v.dtype.kind == "i" else v[v < count]
    return Value(np.bincount(v.astype(np.int64), minlength=count).astype(np.int64))


def histogram(a, bins, low, high):
    """Of integers and doubles."""
    with np.errstate(all="ignore"):
        v = value(a).v.ravel().astype(np.float64)
        v = np.where(v > high, high, v) if planted == "outside" else v
        v = v[(v >= low) & (v <= high)]
        at = (v - low) / (high - low) * bins
        return Value(np.bincount(np.where(at < bins, at, bins - 1).astype(np.int64), minlength=bins).astype(np.int64))


def order_of(v, descending):
    if v.dtype == np.bool_:
        v = v.astype(np.uint8)
    if descending:
        with np.errstate(all="ignore"):
            v = -v if v.dtype.kind == "f" else ~v
    if planted == "descending" and descending:
        return v.shape[-1] - 1 - np.argsort(v[..., ::-1], axis=-1, kind="stable")
    return np.argsort(v, axis=-1, kind="stable")


def sorted_(a, descending=False):
    x = value(a)
    return Value(np.take_along_axis(x.v, order_of(x.v, descending), axis=-1))


def argsort(type_, a, descending=False):
    return Value(order_of(value(a).v, descending).astype(TYPES[type_]))


def sort_by_key(keys, values, descending=False):
    if keys.v.shape != values.v.shape:
        raise Refused("keys and values of different shapes")
    k, v = value(keys), value(values)
    order = order_of(k.v, descending)
    write(keys, Value(np.take_along_axis(k.v, order, axis=-1)))
    write(values, Value(np.take_along_axis(v.v, order, axis=-1), None if v.t is None else np.take_along_axis(v.t, order, axis=-1)))


def places(at, extent):
    at = value(at).v
    if at.dtype == np.bool_:
        at = at.astype(np.int64)
    big = np.array([int(each) for each in at.ravel()], dtype=object)
    big = np.array([each + extent if each < 0 else each for each in big], dtype=object)
    return big, at.shape


def take(a, at, axis=None):
    x = value(a)
    if axis is None:
        x = Value(x.v.ravel(), None if x.t is None else x.t.ravel())
        extent, along = x.v.size, 0
    else:
        along, = axes_of(x.v, (axis,))
        extent = x.v.shape[along]
    big, shape = places(at, extent)
    if extent == 0 and np.prod(shape, dtype=np.int64) != 0:
        raise Refused("elements of an array without any")
    inside = np.array([min(max(each, 0), extent - 1) for each in big], dtype=np.int64).reshape(shape)
    return Value(np.take(x.v, inside, axis=along), None if x.t is None else np.take(x.t, inside, axis=along))


def put(to, at, values):
    """Of an index that occurs several times nobody knows which value stays."""
    x = value(values)
    big, shape = places(at, to.v.size)
    if x.v.shape not in ((), shape):
        raise Refused("values of another shape than the indices")
    x = convert(x, to.type)
    given = np.broadcast_to(x.v, shape).ravel()
    now = value(to)
    flat, far = now.v.ravel().copy(), distance_of(now, now.v).ravel().copy()
    seen = {}
    for k, each in enumerate(big):
        if 0 <= each < flat.size:
            flat[each] = given[k]
            far[each] = np.inf if each in seen and not same_bits(seen[each], given[k]) else 0 if each not in seen else far[each]
            seen.setdefault(each, given[k])
    write(to, Value(flat.reshape(to.v.shape), far.reshape(to.v.shape)))


def same_bits(x, y):
    return x.tobytes() == y.tobytes()


def copy_if(a, mask):
    x, m = value(a), value(mask).v != 0
    if x.v.shape != m.shape:
        raise Refused("a mask of another shape")
    return Value(x.v[m], None if x.t is None else x.t[m])


def indices_where(mask):
    return Value(np.flatnonzero(value(mask).v != 0).astype(np.int64))


# --- assignments --------------------------------------------------------------------------------------------------------


def write(to, x):
    """What has been calculated goes to the elements."""
    if planted == "beyond" and to.v.ndim and to.v.shape[-1] and to.v.strides[-1] >= 2 * to.v.itemsize:
        shifted(to.v)[...] = 0
    to.v[...] = x.v
    if to.t is not None:
        to.t[...] = 0 if x.t is None else x.t


def shifted(v):
    """The last element of each row, moved by one element."""
    last = v[..., -1:]
    pair = np.lib.stride_tricks.as_strided(last, last.shape[:-1] + (2,), last.strides[:-1] + (v.itemsize,))
    return pair[..., 1:]


def assign(to, of):
    """`to = of`: shapes broadcast to that of `to`, elements convert to its type."""
    x = value(of)
    try:
        v = np.broadcast_to(x.v, to.v.shape)
        t = None if x.t is None else np.broadcast_to(x.t, to.v.shape)
    except ValueError as e:
        raise Refused(str(e)) from e
    x = convert(Value(v, t), to.type)
    if planted == "overlap" and isinstance(of, Array) and of.type == to.type and to.v.ndim and np.shares_memory(to.v, x.v):
        for k in range(len(to.v)):
            to.v[k] = x.v[k]
        return
    write(to, Value(np.array(x.v), x.t))


def assign_pass(to, of):
    """`to = pass::...`: of exactly this shape."""
    x = value(of)
    if x.v.shape != to.v.shape:
        raise Refused(f"{x.v.shape} is assigned to {to.v.shape}")
    assign(to, x)


def local(of):
    """A new array."""
    x = value(of)
    t = None if x.t is None else np.array(x.t, order="C")
    return Array(np.array(x.v, order="C"), type_of(x), t)
