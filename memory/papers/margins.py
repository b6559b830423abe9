"""Which headers and footers of a Word document stand on its pages: a letterhead, a date, a name.

A section names its own by the relations of the document. One of first pages is drawn only where the section
asks for it, one of even pages only where the document does; what is drawn nowhere nobody sees.
"""

from __future__ import annotations

from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
RELATIONS, SETTINGS = "word/_rels/document.xml.rels", "word/settings.xml"


def margin_names(kind: str, body: Any, relations: Any, settings: Any) -> list[str]:
    """The parts of this kind (`header` or `footer`) that are drawn, in order, each once."""
    if relations is None:
        return []
    targets = {one.get("Id"): one.get("Target") or "" for one in relations.iter(RELATION)}
    has_even = settings is not None and _is_on(settings.find(f"{W}evenAndOddHeaders"))
    names: list[str] = []
    for section in body.iter(f"{W}sectPr"):
        drawn = {"default": True, "first": _is_on(section.find(f"{W}titlePg")), "even": has_even}
        held = section.findall(f"{W}{kind}Reference")
        for one in sorted(
            held, key=lambda row: row.get(f"{W}type") != "first"
        ):  # the first page's is read first
            target = targets.get(one.get(f"{R}id"), "")
            if target and drawn.get(one.get(f"{W}type", "default"), False):
                names.append(target.removeprefix("/") if target.startswith("/") else f"word/{target}")
    return list(dict.fromkeys(names))


def _is_on(mark: Any) -> bool:
    return mark is not None and mark.get(f"{W}val", "1") not in ("0", "false", "off")
