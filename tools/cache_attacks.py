# SPDX-License-Identifier: MIT
# Runs yoke-cache on folders that are odd, hostile or in use: it has to say what it did, and to harm nothing else.
"""usage: cache_attacks.py YOKE_CACHE FOLDER"""
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
import fill_cache  # noqa: E402

TOOL = ""
KEYS = [bytes([number]) * 32 for number in range(1, 9)]


def run(*arguments, folder=None, code=0, says="", variables=None, output=None):
    command = [TOOL, *arguments]
    if folder is not None:
        command += ["--folder", folder]
    environment = {**os.environ, **(variables or {})}
    done = subprocess.run(command, stdout=output or subprocess.PIPE, stderr=subprocess.PIPE, env=environment, timeout=60)
    text = (done.stdout or b"").decode("utf-8", "strict") + done.stderr.decode("utf-8", "strict")
    assert done.returncode == code, (command, done.returncode, text)
    assert says in text, (command, text)
    assert not any(letter < " " and letter != "\n" for letter in text), (command, text)
    return text


def put(folder, key, data=None, name=None):
    shard = os.path.join(folder, key.hex()[:2])
    os.makedirs(shard, mode=0o700, exist_ok=True)
    data = fill_cache.entry(key, b"fake 1.0", b"payload") if data is None else data
    path = os.path.join(shard, name or fill_cache.name_of(key, b"fake 1.0"))
    with open(path, "wb") as file:
        file.write(data)
    os.chmod(path, 0o600)
    return path


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder, mode=0o700)
    for key in KEYS[:3]:
        put(folder, key)
    return folder


def missing(folder):
    shutil.rmtree(folder, ignore_errors=True)
    for command in ("list", "verify", "prune", "clear"):
        run(command, folder=folder, code=1, says="cannot be made")
        assert not os.path.exists(folder)
    run("where", folder=folder, says="not there yet")
    home = {"HOME": folder, "XDG_CACHE_HOME": "", "YOKE_CACHE_DIR": "", "YOKE_CACHE": ""}
    run("list", variables=home, says="0 entries")
    run("clear", variables=home, says="0 files")
    assert not os.path.exists(folder)
    run("clear", "--folder", "", code=2, says="is empty")


def bad_folders(folder):
    fresh(folder)
    os.chmod(folder, 0o777)
    run("clear", folder=folder, code=1, says="may be written to by others")
    os.chmod(folder, 0o700)
    os.symlink(folder, folder + "-link")
    try:
        run("clear", folder=folder + "-link", code=1, says="cannot be opened")
    finally:
        os.remove(folder + "-link")
    run("clear", folder=os.path.join(folder, "01", fill_cache.name_of(KEYS[0], b"fake 1.0")), code=1, says="cannot be opened")
    for odd in ("/tmp/a\nb", "/tmp/\x1b[31mred", "relative", "/", "/proc/self/mem/x"):
        run("list", folder=odd, code=1, says="There is no cache")
        run("where", "--json", folder=odd, code=1)
    text = run("where", "--json", folder=b"/tmp/\xff\xfe", code=0, says="not there yet")
    assert json.loads(text)["folder"].startswith("/tmp/")
    run("list", folder=folder, says="3 entries")
    run("list", folder=folder, code=1, says="YOKE_CACHE is off", variables={"YOKE_CACHE": "off"})


def odd_files(folder):
    fresh(folder)
    outside = folder + "-outside"
    with open(outside, "w") as file:
        file.write("precious")
    strangers = ["notes.txt", "a\nb", "\x1b[31m", b"\xff\xfe".decode("utf-8", "surrogateescape"), "x" * 255,
                 KEYS[3].hex(), KEYS[3].hex() + ".0123456789abcde", KEYS[3].hex().upper() + ".0123456789ABCDEF"]
    for name in strangers:
        for place in (folder, os.path.join(folder, "01")):
            with open(os.path.join(place, name), "w") as file:
                file.write("mine")
    os.makedirs(os.path.join(folder, "zz"))
    os.makedirs(os.path.join(folder, "001"))
    shard = os.path.join(folder, "01")
    names = [f"{KEYS[0].hex()}.{number:016x}" for number in range(6)]
    os.symlink(outside, os.path.join(shard, names[0]))
    os.mkfifo(os.path.join(shard, names[1]), 0o600)
    os.link(outside, os.path.join(shard, names[2]))
    put(folder, KEYS[0], b"", names[3])
    with open(put(folder, KEYS[0], b"yokecach", names[4]), "r+b") as file:
        file.truncate(10 << 30)
    put(folder, KEYS[0], fill_cache.entry(KEYS[1], b"evil \x1b[31m\xff\n", b"x"), names[5])
    text = run("list", folder=folder, says="9 entries")
    assert text.count("damaged") == 6, text
    assert len(json.loads(run("list", "--json", folder=folder))["entries"]) == 9
    run("verify", folder=folder, code=1, says="9 entries, 6 damaged, 0 removed")
    run("verify", "--remove", folder=folder, says="9 entries, 6 damaged, 6 removed")
    run("verify", folder=folder, says="3 entries, 0 damaged")
    os.mkdir(os.path.join(shard, names[0]))
    run("verify", "--remove", folder=folder, code=1, says="unlink: ")
    run("clear", folder=folder, code=1, says="3 files removed")
    os.rmdir(os.path.join(shard, names[0]))
    run("clear", folder=folder, says="0 files removed")
    with open(outside) as file:
        assert file.read() == "precious"
    for name in strangers:
        assert os.path.exists(os.path.join(folder, name)) and os.path.exists(os.path.join(shard, name)), name
    os.remove(outside)


def every_flip(folder):
    fresh(folder)
    good = fill_cache.entry(KEYS[0], b"fake 1.0", b"payload")
    path = put(folder, KEYS[0])
    for at in range(len(good)):
        damaged = bytearray(good)
        damaged[at] ^= 1 << at % 8
        with open(path, "wb") as file:
            file.write(damaged)
        is_schema = 8 <= at < 12  # looks like another version's
        run("verify", folder=folder, code=0 if is_schema else 1, says="3 entries, 0" if is_schema else "3 entries, 1 damaged")
        if is_schema:
            run("list", folder=folder, says="of another version")


def unwritable_output(folder):
    fresh(folder)
    with open("/dev/full", "wb") as full:
        for command in ("list", "verify", "clear"):
            run(command, folder=folder, code=1, says="cannot be written", output=full)


def bad_arguments(folder):
    fresh(folder)
    for arguments in (["prune", "--max-bytes", "-1"], ["prune", "--max-bytes", "1e99"], ["prune", "--max-bytes", "all"],
                      ["prune", "--max-age", "-1"], ["prune", "--max-age", "99999999999999999999"], ["list", "clear"], []):
        run(*arguments, folder=folder if arguments else None, code=2)
    run("list", folder=folder, says="3 entries")
    run("prune", "--max-bytes", "18446744073709551615", "--max-age", "36500", folder=folder, says="3 kept")


def in_use(folder):
    fresh(folder)
    stop = threading.Event()
    failures = []
    written = []

    def write():
        number = 0
        while not stop.is_set():
            number += 1
            key = KEYS[number % len(KEYS)]
            data = fill_cache.entry(key, b"fake 1.0", b"payload" * (number % 50))
            try:
                hidden = put(folder, key, data, f".tmp-1-{number}-0")
                os.rename(hidden, os.path.join(os.path.dirname(hidden), fill_cache.name_of(key, b"fake 1.0")))
            except FileNotFoundError:  # cleared
                continue
            except Exception as failure:  # noqa: BLE001: told below
                failures.append(failure)
                return
            written.append(number)

    def look(arguments):
        try:
            for _ in range(30):
                run(*arguments, folder=folder)
        except Exception as failure:  # noqa: BLE001: told below
            failures.append(failure)

    threads = [threading.Thread(target=look, args=(arguments,)) for arguments in
               (["list"], ["verify"], ["verify", "--remove"], ["prune", "--max-bytes", "500"], ["clear"])]
    writer = threading.Thread(target=write)
    writer.start()
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    stop.set()
    writer.join()
    assert not failures, failures
    assert len(written) > 100, len(written)
    run("verify", folder=folder, says=" 0 damaged")


def unreadable(folder):
    if os.geteuid() == 0:  # nothing is unreadable to root: as somebody else
        fresh(folder)
        os.chmod(os.path.join(folder, "01", fill_cache.name_of(KEYS[0], b"fake 1.0")), 0o000)
        nobody = 65534
        for place, folders, files in os.walk(folder):
            for each in [place] + [os.path.join(place, name) for name in files]:
                os.chown(each, nobody, nobody)
        # Folders above the tree may be closed to others: a copy of the program and of the folder that anybody reaches.
        with tempfile.TemporaryDirectory() as reached:
            os.chmod(reached, 0o755)
            tool, copied = os.path.join(reached, "tool"), os.path.join(reached, "cache")
            shutil.copy(TOOL, tool)
            subprocess.run(["cp", "-a", folder, copied], check=True)
            done = subprocess.run([tool, "verify", "--folder", copied], capture_output=True, text=True, timeout=60,
                                  cwd="/", preexec_fn=lambda: os.setuid(nobody))
        assert done.returncode == 1 and "Permission denied" in done.stderr, done
        run("list", folder=folder, code=1, says="belongs to user 65534")
    else:
        fresh(folder)
        os.chmod(os.path.join(folder, "01", fill_cache.name_of(KEYS[0], b"fake 1.0")), 0o000)
        run("verify", folder=folder, code=1, says="Permission denied")


def main():
    global TOOL
    TOOL = sys.argv[1]
    base = sys.argv[2]
    shutil.rmtree(base, ignore_errors=True)
    os.makedirs(base, mode=0o755)
    for attack in (missing, bad_folders, odd_files, every_flip, unwritable_output, bad_arguments, in_use, unreadable):
        print(attack.__name__, flush=True)
        attack(os.path.join(base, attack.__name__))
    assert stat.S_ISDIR(os.stat(base).st_mode)


if __name__ == "__main__":
    main()
