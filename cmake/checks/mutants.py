# SPDX-License-Identifier: MIT
# Catches a row of the porting pages whose tests pass although the function that it names does nothing.
"""usage: mutants.py ROOT OUT [--count N] [--files N] [--seed N] [--jobs N] [--only TEXT]... [--by TEXT]...
       mutants.py ROOT --list

A mutant is a function of include/ that a row names, with one statement in its body, that returns a value-initialised one, returns
at once, forgets an argument, or swaps two of one type. OUT gets a copy of the headers in which a variable of the environment
chooses the mutant, and a few programs of the rows' tests, drawn by the seed and built with these headers. For each of N mutants
that they run, the tests of its rows run until one fails. A mutant that they do not notice survives: it fails this check unless
tests/mutants.txt lists it as `<header> <function> <kind> : <reason why no user could see the difference>`. `never run` are those
whose function none of its rows' tests runs, often another class's of the row's name: first come those of whose name none runs. With
--files above the number of programs they are looked for in all of the rows' tests. --only judges the mutants whose line in --list
has one of the texts, --by lets only the tests whose path has one of the texts judge: both leave the built copy as it is.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time
import typing

import markdown
import porting
import run_test

WORDS_BEFORE = r"(?:\[\[[^\]]*\]\]\s*|\b(?:static|inline|constexpr|consteval|friend|virtual|explicit|YOKE_API|typename)\b\s*)*"
FUNCTION = re.compile(r"(?<![\w.:>~])(?P<scope>(?:\w+(?:<[\w, .]*>)?::)*)(?P<name>[a-z_]\w*)\s*\(")
AFTER = re.compile(r"\s*(?:const\b|noexcept\b|override\b|final\b|&(?!&)|\s)*\{")
# Tests that have no program of their own with all bodies.
UNFIT = {"allocation", "cuda_simulator", "dialect", "fuzz", "kernels"}
NO_FUNCTION = {"if", "for", "while", "switch", "catch", "return", "requires", "noexcept", "decltype", "sizeof", "alignof", "static_assert"}
IMPOSSIBLE = 76  # the exit status below where there is no value to return
PREAMBLE = """#ifndef YOKE_MUTANTS
#define YOKE_MUTANTS
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>
namespace yoke_mutants {
inline int chosen() {
  static const int number = [] {
    const char* const text = std::getenv("YOKE_MUTANT");
    return text == nullptr ? -1 : std::atoi(text);
  }();
  return number;
}
inline std::atomic<bool> reached[8192];
/// Notes in a file, once, that a mutant's function has run.
inline void note(int number, bool possible) {
  static const char* const path = std::getenv("YOKE_MUTANTS_REACHED");
  if (path == nullptr || reached[number].exchange(true)) return;
  if (std::FILE* const file = std::fopen(path, "a")) {
    std::fprintf(file, "%d\\n", possible ? number : ~number);
    std::fclose(file);
  }
}
/// Notes ~number for a mutant that cannot be.
constexpr bool is(int number, bool possible = true) {
  if (std::is_constant_evaluated()) return false;
  note(number, possible);
  return possible && chosen() == number;
}
template <class T, class Plain = std::remove_cvref_t<T>>
inline constexpr bool forgettable = std::is_default_constructible_v<Plain> && std::is_move_assignable_v<Plain>;
template <class T>
inline constexpr bool exchangeable = std::is_move_assignable_v<std::remove_cvref_t<T>>;
template <class T>
T nothing() {
  if constexpr (std::is_reference_v<T>) {
    static std::remove_cvref_t<T> value{};
    return static_cast<T>(value);
  } else if constexpr (std::is_default_constructible_v<T>) {
    return T{};
  } else {
    std::_Exit(76);  // there is no such value
  }
}
template <class T>
constexpr void forget(T& argument) {
  using plain = std::remove_const_t<T>;
  if constexpr (std::is_default_constructible_v<plain> && std::is_move_assignable_v<plain>) const_cast<plain&>(argument) = plain{};
}
template <class T>
constexpr void exchange(T& one, T& other) {
  using plain = std::remove_const_t<T>;
  if constexpr (std::is_move_assignable_v<plain>) std::swap(const_cast<plain&>(one), const_cast<plain&>(other));
}
}  // namespace yoke_mutants
#endif
"""


class Mutant(typing.NamedTuple):
    header: str
    name: str
    kind: str
    place: int  # in the header's text, behind the opening brace
    code: str   # with a %d for its number
    tests: tuple

    @property
    def line(self):
        return f"{self.header} {self.name} {self.kind}"


def blanked(text):
    """The text with blanks in the place of comments, texts and directives, of the same length."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])

    text = porting.NO_CODE.sub(blank, text)
    return re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", blank, text, flags=re.MULTILINE)


def closing(text, begin):
    """The place of the bracket that closes the one at `begin`; -1 if there is none."""
    depth = 0
    pairs = {"(": ")", "{": "}"}
    opened, closed = text[begin], pairs[text[begin]]
    for place in range(begin, len(text)):
        depth += (text[place] == opened) - (text[place] == closed)
        if depth == 0:
            return place
    return -1


def split(parameters):
    """The parameters of a list, without their defaults, as (type, name); names that are missing are ""."""
    found, depth, each = [], 0, ""
    for letter in parameters + ",":
        depth += (letter in "(<[{") - (letter in ")>]}")
        if letter == "," and depth == 0:
            text = re.sub(r"\s+", " ", each.split("=")[0]).strip()
            match = re.fullmatch(r"(.*[\s&*])(\w+)", text)
            if text:
                found.append((match[1].strip(), match[2]) if match else (text, ""))
            each = ""
        else:
            each += letter
    return found


def without_template(text):
    """What stands behind `template <...>`, if it begins with that."""
    while match := re.match(r"template\s*<", text):
        place, depth = match.end(), 1
        while place < len(text) and depth:
            depth += (text[place] == "<") - (text[place] == ">")
            place += 1
        text = text[place:].strip()
    return text


def private(text):
    """The ranges of the private and protected parts of classes."""
    found, open_classes, start = [], [], 0
    for match in re.finditer(r"[{};]|\b(public|private|protected)\s*:(?!:)", text):
        head = text[start:match.start()]
        start = match.end()
        if match[0] == "{":
            word = re.match(r"(?:requires.*\s)?(class|struct|union)\b", without_template(head.strip()), re.DOTALL)
            open_classes.append(start if word and word[1] == "class" else 0)
        elif match[0] == "}":
            begin = open_classes.pop() if open_classes else 0
            if begin:
                found.append((begin, match.start()))
        elif match[1] and open_classes:
            if open_classes[-1]:
                found.append((open_classes[-1], match.start()))
            open_classes[-1] = 0 if match[1] == "public" else start
    return found


def functions(text):
    """The functions of one statement: (name, result, parameters, the place behind the opening brace). Private ones are of no row."""
    hidden = private(text)
    for match in FUNCTION.finditer(text):
        if match["name"] in NO_FUNCTION:
            continue
        end = closing(text, match.end() - 1)
        after = AFTER.match(text, end + 1) if end > 0 else None
        if not after:
            continue
        brace = after.end() - 1
        last = closing(text, brace)
        body = text[brace + 1:last]
        if last < 0 or body.count(";") != 1 or "{" in body.split(";")[0].replace("{}", "") and "[" in body:
            continue
        if any(begin <= brace < behind for begin, behind in hidden):
            continue
        before = re.split(r"[;{}]|\b(?:public|private|protected):", text[max(0, match.start() - 900):match.start()])[-1]
        result = re.sub(r"\s+", " ", re.sub("^" + WORDS_BEFORE, "", without_template(before.strip()))).strip()
        if not result or re.search(r"[()=,]|\b(?:auto|operator|return|new|else|using|case|requires|template|concept)\b", re.sub(r"<[^>]*>", "", result)):
            continue
        yield match["name"], result, split(text[match.end():end]), brace + 1


def rows(root):
    """The tests of each of yoke's names in the porting pages."""
    found = {}
    for page in sorted(root.glob("docs/porting/*.md")):
        for _, line in markdown.read(page)[1]:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not line.startswith("|") or len(cells) != 3:
                continue
            tests = [(page.parent / target).resolve() for _, target in porting.LINK.findall(cells[2])]
            for word in porting.words(cells[1]):
                found.setdefault(word, set()).update(test for test in tests if "compile_fail" not in test.parts and test.is_file())
    return found


def mutants(root):
    tests_of = rows(root)
    found = []
    for path in sorted((root / "include").rglob("*.[hi]pp")):
        relative = path.relative_to(root).as_posix()
        if "/kernels/" in relative or "/prelude/" in relative or "/windows/" in relative:
            continue
        text = blanked(path.read_text(encoding="utf-8"))
        hidden = [(match.end(), closing(text, match.end() - 1)) for match in re.finditer(r"namespace[\w\s:]*\bdetail\s*\{", text)]
        for name, result, parameters, place in functions(text):
            tests = tuple(sorted(tests_of.get(name, ())))
            if not tests or any(begin <= place <= end for begin, end in hidden):
                continue

            def add(kind, code, possible="true"):
                found.append(Mutant(relative, name, kind, place, f" if (::yoke_mutants::is(%d, {possible})) {code}", tests))  # noqa: B023

            if result == "void":
                add("does nothing", "return;")
            else:
                add("returns nothing", f"return ::yoke_mutants::nothing<{result}>();")
            if result == "bool":
                add("returns true", "return true;")
            values = [(kind, parameter) for kind, parameter in parameters
                      if parameter and not re.search(r"[&*]|\.\.\.|source_location|\bauto\b", kind)]
            for kind, parameter in values:
                add(f"forgets {parameter}", f"::yoke_mutants::forget({parameter});", f"::yoke_mutants::forgettable<decltype({parameter})>")
            for number, (kind, parameter) in enumerate(values[1:]):
                if values[number][0] == kind:
                    add(f"swaps {values[number][1]} and {parameter}", f"::yoke_mutants::exchange({values[number][1]}, {parameter});",
                        f"::yoke_mutants::exchangeable<decltype({parameter})>")
    return found


def write_tree(root, tree, chosen):
    """The root with mutants in its headers. What is the same is linked to."""
    tree.mkdir(parents=True, exist_ok=True)
    for path in root.iterdir():
        link = tree / path.name
        if path.name not in ("build", ".git", "include") and not link.exists():
            link.symlink_to(path)
    fresh = tree / "include.new"
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(root / "include", fresh)
    for header in {each.header for each in chosen.values()}:
        text = (root / header).read_text(encoding="utf-8")
        own = sorted(((each.place, number) for number, each in chosen.items() if each.header == header), reverse=True)
        for place, number in own:
            text = text[:place] + chosen[number].code % number + text[place:]
        first = re.search(r"^#define YOKE_\w+_[HI]PP$", text, re.MULTILINE).end()  # the guard
        (tree / "include.new" / pathlib.Path(header).relative_to("include")).write_text(
            text[:first] + "\n#include <yoke_mutants.hpp>" + text[first:], encoding="utf-8")
    (fresh / "yoke_mutants.hpp").write_text(PREAMBLE, encoding="utf-8")
    # Files that stay the same keep their times, so that they are not compiled again.
    (tree / "include").mkdir(exist_ok=True)
    for path in sorted(fresh.rglob("*")):
        to = tree / "include" / path.relative_to(fresh)
        if path.is_dir():
            to.mkdir(exist_ok=True)
        elif not to.exists() or to.read_bytes() != path.read_bytes():
            shutil.copyfile(path, to)
    shutil.rmtree(fresh)


def program_of(root, test):
    return "fresh." + ".".join(test.relative_to(root / "tests").with_suffix("").parts)


class Trial:
    def __init__(self, options, build, simulator):
        self.options, self.build, self.seconds, self.impossible = options, build, {}, set()
        self.variables = run_test.environment(str(simulator) if simulator else None)
        self.variables.setdefault("YOKE_CACHE", "off")

    def run(self, program, number, note=None):
        """Whether the tests pass. Effects: with `note`, writes there which mutants' functions run."""
        variables = dict(self.variables, YOKE_MUTANT=str(number), **({"YOKE_MUTANTS_REACHED": str(note)} if note else {}))
        try:
            done = subprocess.run([self.build / "bin" / program, "--abort"], capture_output=True, check=False, env=variables,
                                  timeout=self.seconds.get(program, self.options.timeout))
        except subprocess.TimeoutExpired:
            return False
        if done.returncode == IMPOSSIBLE:
            self.impossible.add(number)
        return done.returncode in (0, IMPOSSIBLE)

    def reached(self, program):
        """The mutants whose functions a program runs; None: it fails without one."""
        note = self.build / f"reached.{program}"
        note.unlink(missing_ok=True)
        start = time.monotonic()
        if not self.run(program, -1, note):
            return None
        self.seconds[program] = 60 + 5 * (time.monotonic() - start)  # a mutant may never end
        return {int(line) for line in note.read_text(encoding="utf-8").split()} if note.exists() else set()


def compiled(build, programs, jobs):
    done = subprocess.run(["cmake", "--build", str(build), "--parallel", str(jobs), "--target", "yoke_cuda_simulator", *programs, "--", "-k", "0"],
                          capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("root", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("out", nargs="?", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--files", type=int, default=8, help="the most test programs")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--timeout", type=int, default=900)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", action="append", metavar="TEXT")
    parser.add_argument("--by", action="append", metavar="TEXT")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    root = options.root
    everyone = mutants(root)
    if options.list:
        for each in everyone:
            print(each.line)
        print(f"{len(everyone)} mutants in {len({each.header for each in everyone})} headers")
        return 0
    allowed = {}
    listing = root / "tests" / "mutants.txt"
    for line in listing.read_text(encoding="utf-8").splitlines() if listing.is_file() else []:
        if line and not line.startswith("#"):
            which, _, reason = line.partition(" : ")
            allowed[which] = reason
    known = {each.line for each in everyone}
    for which in sorted(set(allowed) - known):
        print(f"{listing.name}: there is no mutant {which}")
    if set(allowed) - known:
        return 1

    print(f"seed {options.seed}")
    draw = random.Random(options.seed)
    draw.shuffle(everyone)
    # All mutants of a few programs, so that little is compiled.
    programs = []
    for each in everyone:
        own = [test for test in each.tests if not UNFIT & set(test.parts)]
        if own and len(programs) < options.files and not set(own) & set(programs):
            programs.append(draw.choice(own))
    chosen = {number: each for number, each in enumerate(each for each in everyone if set(programs) & set(each.tests))}
    drawn_all = len(programs) < options.files
    if options.only:
        wanted = [number for number, each in chosen.items() if any(text in each.line for text in options.only)]
        programs = [test for test in programs if any(test in chosen[number].tests for number in wanted)]
        if options.by:
            programs = sorted({test for number in wanted for test in chosen[number].tests if any(text in str(test) for text in options.by)})
    else:
        wanted = list(chosen)
    wanted = [number for number in wanted if chosen[number].line not in allowed]
    tree = options.out / "tree"
    build = options.out / "build"
    write_tree(root, tree, chosen)
    names = {test: program_of(root, test) for test in programs}
    subprocess.run(["cmake", "-S", str(tree), "-B", str(build), "--preset", "try", "-DYOKE_BUILD_EXAMPLES=OFF",
                    "-DYOKE_WARNINGS_AS_ERRORS=OFF", "-DCMAKE_CXX_FLAGS=-w"],
                   check=True, stdout=subprocess.DEVNULL, cwd=tree)
    done, log = compiled(build, names.values(), options.jobs)
    for _ in range(6):
        if done:
            break
        # A mutant that does not compile is none: the compiler has caught it.
        refused = set()
        # The error itself, or the place of a template's instance.
        for path, line in re.findall(r"(\S*include/\S+?):(\d+):(?:\d+:)? (?:error|note|  required)", log):
            where = (build / path).resolve()
            text = where.read_text(encoding="utf-8").splitlines()[int(line) - 1]
            refused |= {int(number) for number in re.findall(r"yoke_mutants::is\((\d+),", text)}
        if not refused & set(chosen):
            print(log[-6000:])
            return 1
        for number in refused & set(chosen):
            print(f"does not compile: {chosen[number].line}")
            del chosen[number]
            wanted = [each for each in wanted if each != number]
        write_tree(root, tree, chosen)
        done, log = compiled(build, names.values(), options.jobs)
    simulator = next(iter(sorted(build.rglob("libyoke_cuda_simulator.so"))), None)
    trial = Trial(options, build, simulator)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = dict(zip(programs, pool.map(lambda test: trial.reached(names[test]), programs)))
        broken = [test for test in programs if runs[test] is None]
        programs = [test for test in programs if runs[test] is not None]

        def tests_that_run(number):
            return [test for test in programs if test in chosen[number].tests and number in runs[test]]

        trial.impossible |= {~number for run in runs.values() for number in run or () if number < 0}
        judged = [number for number in wanted if tests_that_run(number)][:options.count]
        noticed = list(pool.map(lambda number: any(not trial.run(names[test], number) for test in tests_that_run(number)), judged))
    survivors = [number for number, seen in zip(judged, noticed) if not seen]
    # The rows' other tests, which were not drawn, have the last word.
    never = [number for number in wanted if not tests_that_run(number) and number not in trial.impossible]

    def fit(number):
        return {test for test in chosen[number].tests if not UNFIT & set(test.parts)}

    others = sorted(test for test in set().union(*map(fit, survivors + (never if drawn_all else []))) if test not in names and not options.by)
    if others:
        names.update({test: program_of(root, test) for test in others})
        done, log = compiled(build, [names[test] for test in others], options.jobs)
        if not done:
            print(log[-6000:])
            return 1
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            runs.update(zip(others, pool.map(lambda test: trial.reached(names[test]), others)))
            broken += [test for test in others if runs[test] is None]
            others = [test for test in others if runs[test] is not None]
            programs += others
            noticed = list(pool.map(lambda number: any(not trial.run(names[test], number) for test in tests_that_run(number) if test in others), survivors))
        survivors = [number for number, seen in zip(survivors, noticed) if not seen]
        # Mutants that only these tests run.
        late = [number for number in never if tests_that_run(number)][:max(0, options.count - len(judged))]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            noticed = list(pool.map(lambda number: any(not trial.run(names[test], number) for test in tests_that_run(number)), late))
        judged += late
        survivors += [number for number, seen in zip(late, noticed) if not seen]
    trial.impossible |= {~number for run in runs.values() for number in run or () if number < 0}
    never = [number for number in never if not tests_that_run(number) and number not in trial.impossible and (options.by or fit(number) <= set(programs))]
    heard = {each.name for number, each in chosen.items() if tests_that_run(number)}
    for number in sorted(never, key=lambda number: (chosen[number].name in heard, chosen[number].line)):
        which = "never run" if chosen[number].name in heard else "never run, nor another of its name"
        print(f"{which}: {chosen[number].line} ({', '.join(test.stem for test in chosen[number].tests)})")
    judged = [number for number in judged if number not in trial.impossible]
    survivors = [number for number in survivors if number not in trial.impossible]
    for number in survivors:
        each = chosen[number]
        print(f"survives: {each.line} ({', '.join(test.stem for test in tests_that_run(number))})")
    if broken:
        print(f"without a mutant these fail, and judge none: {', '.join(names[test] for test in broken)}")
    print(f"{len(judged)} mutants in {len(programs)} programs: {len(judged) - len(survivors)} noticed, {len(survivors)} survive, {len(never)} are never run")
    return 1 if survivors or broken or not judged else 0


if __name__ == "__main__":
    sys.exit(main())
