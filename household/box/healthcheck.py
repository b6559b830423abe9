"""`python -m household.box.healthcheck`: exit 0 where the box on this machine calls itself well."""

from __future__ import annotations

import os
import sys

from household.box import places, supervisor, tls
from household.box.trouble import Trouble


def main() -> int:
    """0 when /healthz answers well on the door the settings name, else 1."""
    try:
        entrance = tls.read_entrance(os.environ)
        entrance.house = places.home()
        return 0 if supervisor.is_well(entrance) else 1
    except (OSError, Trouble):
        return 1


if __name__ == "__main__":
    sys.exit(main())
