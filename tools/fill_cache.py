# SPDX-License-Identifier: MIT
# Lays out a folder as the disk cache has it: a good entry, a damaged one not used for long, and a file that was left.
"""usage: fill_cache.py FOLDER"""
import hashlib
import os
import shutil
import struct
import sys
import time


def entry(key, compiler, payload):
    head = b"yokecach" + struct.pack("<II", 1, 0) + key + struct.pack("<QQQQQQ", 1700000000, 0, len(compiler), 0, 0, len(payload))
    body = head + compiler + payload
    return body + hashlib.sha256(body).digest()


def name_of(key, compiler):
    return key.hex() + "." + hashlib.sha256(compiler).hexdigest()[:16]


def main():
    folder = sys.argv[1]
    shutil.rmtree(folder, ignore_errors=True)
    compiler = b"fake 1.0"
    for number, damage in ((1, False), (2, True)):
        key = hashlib.sha256(bytes([number])).digest()
        shard = os.path.join(folder, key.hex()[:2])
        os.makedirs(shard, mode=0o700)
        os.chmod(folder, 0o700)
        os.chmod(shard, 0o700)
        data = entry(key, compiler, b"payload")
        name = os.path.join(shard, name_of(key, compiler))
        names = [(name, data[:-1] if damage else data)]
        if damage:
            names.append((os.path.join(shard, ".tmp-1-1-0"), data[:50]))
        for path, text in names:
            with open(path, "wb") as file:
                file.write(text)
            os.chmod(path, 0o600)
            if damage:
                long_ago = time.time() - 100 * 24 * 3600
                os.utime(path, (long_ago, long_ago))


if __name__ == "__main__":
    main()
