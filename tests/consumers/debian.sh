#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What Debian's packages in PLACE hold, as lintian and programs see it: debian.sh SOURCE PLACE
set -euo pipefail
command -v lintian >/dev/null || { echo "YOKE-SKIP: no lintian" && exit 0; }
source=$1 place=$2
version=$(sed -n '1s/.*(\(.*\)-.*/\1/p' "$source/packaging/debian/changelog")
cd "$place"

# The source package, too, from the same tree. An upload has a bug to close and somebody's address; the tree has neither.
rm -rf source root program && mkdir -p "source/yoke-$version"
(cd "$source" && cp -r CMakeLists.txt LICENSE README.md CHANGELOG.md cmake include src tests "$place/source/yoke-$version")
find source -name __pycache__ -prune -exec rm -r {} +
(cd source && tar czf "yoke_$version.orig.tar.gz" "yoke-$version")
cp -r "$source/packaging/debian" "source/yoke-$version/debian"
(cd source && dpkg-source -b "yoke-$version") >source/build.log 2>&1 || { cat source/build.log && exit 1; }
lintian --allow-root --fail-on error,warning --profile debian \
  --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs \
  yoke_*.changes source/yoke_*.dsc

# A program finds the development package without the simulator's, and the simulator's once it is there.
run() { # run FOLDER OPTION...: builds that consumer, and runs it
  local folder=$1
  shift
  rm -rf program
  {
    cmake -G Ninja -S "$source/tests/consumers/$folder" -B program "-DCMAKE_PREFIX_PATH=$PWD/root/usr" "$@" &&
      cmake --build program
  } >program.log 2>&1 || { cat program.log && exit 1; }
  LD_LIBRARY_PATH=$library program/consumer
}
library=$PWD/root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
dpkg-deb -x "libyoke${version%.*}_$version"-*.deb root
dpkg-deb -x libyoke-dev_*.deb root
run find_package -DCONSUMER_TARGET=yoke::yoke
readelf -d program/consumer | grep -q 'NEEDED.*libyoke\.so\.' || { echo "the program does not link the shared library" && exit 1; }
# shellcheck disable=SC2046 # flags
g++ -std=c++20 "$source/tests/consumers/main.cpp" -o program/static -Wl,-Bstatic \
  $(PKG_CONFIG_PATH=$library/pkgconfig pkg-config --cflags --libs yoke) -Wl,-Bdynamic -ldl -pthread
program/static
dpkg-deb -x yoke-cuda-simulator_*.deb root
run cuda_simulator
