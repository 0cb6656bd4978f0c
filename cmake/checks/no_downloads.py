# SPDX-License-Identifier: MIT
# Catches consumers whose downloads would go unnoticed: in their environment CMake and git fail on a server that is there.
"""no_downloads.py CMAKE PLACE"""
import http.server
import os
import pathlib
import subprocess
import sys
import threading

PROXIES = ("http_proxy", "https_proxy", "all_proxy")


def main(cmake, place):
    place = pathlib.Path(place)
    place.mkdir(parents=True, exist_ok=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    script = place / "download.cmake"
    script.write_text(f'file(DOWNLOAD "{url}" "{place.as_posix()}/got" STATUS status)\nlist(GET status 0 code)\n'
                      'if(code)\n  message(FATAL_ERROR "${status}")\nendif()\n', encoding="utf-8")

    def downloads(environment):
        return subprocess.run([cmake, "-P", script], env=environment, capture_output=True, check=False).returncode == 0

    problems = []
    if not downloads({name: value for name, value in os.environ.items() if name not in PROXIES}):
        problems.append("CMake does not download without the consumers' environment, so this test shows nothing")
    if downloads(os.environ):
        problems.append("CMake downloads in the consumers' environment")
    git = subprocess.run(["git", "ls-remote", url], capture_output=True, text=True, check=False)
    if "transport 'http' not allowed" not in git.stderr:
        problems.append(f"git is not kept from downloading: {git.stderr}")
    server.shutdown()
    print("\n".join(problems) or "nothing downloads")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
