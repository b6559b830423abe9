#!/bin/sh
# Has espeak-ng to measure the voice beside: installs Debian's where none is found, and says so.
if command -v espeak-ng >/dev/null 2>&1; then
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "No espeak-ng was found, and there is no apt to install it with: it is not measured." >&2
    exit 0
fi
echo "No espeak-ng was found: installing Debian's through apt to measure beside."
as_root=
if [ "$(id -u)" != 0 ]; then
    as_root="sudo -n"
fi
if DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends espeak-ng >/dev/null 2>&1 ||
    { $as_root apt-get update -q >/dev/null 2>&1 &&
        DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends espeak-ng >/dev/null 2>&1; }; then
    exit 0
fi
echo "espeak-ng could not be installed: it is not measured. By hand: apt install espeak-ng" >&2
