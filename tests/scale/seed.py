"""Run on a host as the owner: a household with a cat three weeks old and a child with two tablets."""

from __future__ import annotations

import datetime as dt
import json

import django


def main() -> None:
    """Make it, and print the numbers and tokens as JSON."""
    django.setup()
    from django.utils import timezone

    from tests.makers import a_cat, a_child, a_person
    from tests.wire import a_device

    began = timezone.now() - dt.timedelta(days=21)
    ana = a_person("Ana", passphrase="warm bread and honey")
    cats = [a_cat(ana, f"Cat {number}", now=began) for number in range(6)]
    leo = a_child(ana, now=began)
    tokens = [a_device(ana, leo, name).token for name in ("kitchen", "car")]
    print(json.dumps({"cats": [cat.pk for cat in cats], "child": leo.pk, "tokens": tokens}))


if __name__ == "__main__":
    main()
