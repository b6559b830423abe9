#!/bin/sh
# Prints the first Python on the PATH that is 3.11 or newer and really starts.
for name in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14 python; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
        echo "$name"
        exit 0
    fi
done
echo "Hearthbook needs Python 3.11 or newer, and none was found on the PATH: install one, or name it, PYTHON=/path/to/python3 make up" >&2
exit 1
