#!/bin/sh
# Has Tesseract for the tests that read scans: installs Debian's where none is found, and says so.
if command -v tesseract >/dev/null 2>&1 && tesseract --list-langs 2>/dev/null | grep -qx tur; then
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "No Tesseract was found, and there is no apt to install it with: the tests of scans are skipped." >&2
    exit 0
fi
echo "No Tesseract with English and Turkish was found: installing Debian's through apt."
as_root=
if [ "$(id -u)" != 0 ]; then
    as_root="sudo -n"
fi
names="tesseract-ocr tesseract-ocr-eng tesseract-ocr-tur"
if DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends $names >/dev/null 2>&1 ||
    { $as_root apt-get update -q >/dev/null 2>&1 &&
        DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends $names >/dev/null 2>&1; }; then
    exit 0
fi
echo "Tesseract could not be installed: the tests of scans are skipped. By hand: apt install $names" >&2
