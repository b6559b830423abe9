#!/bin/sh
# Has Chromium for the browser tests: installs Debian's where none is found, and says so.
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then
        exit 0
    fi
done
if ! command -v apt-get >/dev/null 2>&1; then
    echo "No Chromium was found, and there is no apt to install it with: the browser tests are skipped." >&2
    exit 0
fi
echo "No Chromium was found: installing Debian's through apt for the browser tests."
as_root=
if [ "$(id -u)" != 0 ]; then
    as_root="sudo -n"
fi
if DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends chromium >/dev/null 2>&1 ||
    { $as_root apt-get update -q >/dev/null 2>&1 &&
        DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends chromium >/dev/null 2>&1; }; then
    exit 0
fi
echo "Chromium could not be installed: the browser tests are skipped. By hand: apt install chromium" >&2
