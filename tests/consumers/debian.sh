#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds Debian's packages from a copy of the tree, and has lintian look at them: debian.sh SOURCE PLACE
set -euo pipefail
for tool in dpkg-buildpackage dh lintian; do
  command -v "$tool" >/dev/null || { echo "YOKE-SKIP: no $tool" && exit 0; }
done
version=$(sed -n '1s/.*(\(.*\)-.*/\1/p' "$1/packaging/debian/changelog")
rm -rf "$2" && mkdir -p "$2/yoke-$version"
cd "$1" && cp -r CMakeLists.txt LICENSE README.md CHANGELOG.md cmake include src tests "$2/yoke-$version"
cd "$2" && tar czf "yoke_$version.orig.tar.gz" "yoke-$version"
cp -r "$1/packaging/debian" "yoke-$version/debian"
cd "yoke-$version" && dpkg-buildpackage -us -uc -b >"$2/build.log" 2>&1 || { cat "$2/build.log" && exit 1; }
# An upload has a bug to close and somebody's address; the tree has neither.
lintian --allow-root --fail-on error,warning --profile debian \
  --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs "$2"/*.changes
