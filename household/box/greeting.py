"""What `up` prints once the box answers: addresses, a QR to scan, the first-run code."""

from __future__ import annotations

import io

from household.box.network import NAME, Door


def greeting(
    door: Door, *, lan: str | None, code: str | None, porch: Door | None = None, fingerprint: str = ""
) -> str:
    """The text for the console; `lan` is the box's address on the home network, `code` the first-run code.

    With TLS, `porch` is the plain door where devices get the certificate, and `fingerprint` its SHA-256.
    """
    rows = [("on this machine", door.own_url if not door.is_wide else door.url("localhost"))]
    if lan is not None and not door.is_local:
        rows += [("on your network", door.url(lan)), ("by its name", door.url(NAME))]
    lines = ["", "Hearthbook is ready.", "", *(f"  {label:<16} {address}" for label, address in rows), ""]
    if porch is not None:
        trust = porch.url(lan if lan is not None and not door.is_local else "localhost")
        lines += [
            f"  First on each device: open {trust} and trust the certificate.",
            f"  SHA-256 {fingerprint}",
            "",
        ]
    lines.append(_qr(door.url(lan)) if lan is not None and not door.is_local else "")
    if code is not None:
        lines += [f"  First run: open one of these pages and enter the code  {code}", ""]
    lines.append("  Ctrl-C stops it.")
    return "\n".join(lines)


def _qr(address: str) -> str:
    import segno

    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(out=drawn, compact=True)
    return drawn.getvalue()
