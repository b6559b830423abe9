"""The demo's papers, handed in by its first parent and read stage by stage, as any other."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

from household.access import seen_by
from household.models import Person
from memory.services.demo.source import in_language
from memory.services.demo.story import march_start
from memory.services.demo.write import client_of
from memory.services.documents.adding import add_document
from memory.services.documents.pipeline import read_document
from twin.models import Subject

FILE = "demo_papers.toml"


@dataclass(frozen=True)
class Paper:
    """One paper of the demo: whose it is, its file's name and text, and its day."""

    label: str
    subject: str
    name: str
    text: str
    on: dt.date


def papers(*, today: dt.date, language: str) -> Iterator[Paper]:
    """The papers in one language, dated back from `today`."""
    rows = tomllib.loads((files("memory") / "data" / FILE).read_text(encoding="utf-8"))["paper"]
    for row in rows:
        said = in_language(row, language)
        if "march_day" in said:
            on = march_start(today) + dt.timedelta(days=said["march_day"])
        else:
            on = today - dt.timedelta(days=said["days_before"])
        text = said["text"].lstrip("\n").replace("{date}", on.strftime("%d.%m.%Y"))
        yield Paper(said["label"], said["subject"], said["name"], text, on)


def hand_in_papers(
    *, parent: Person, subjects: Mapping[str, Subject], today: dt.date, language: str, now: dt.datetime
) -> None:
    """Hand every paper in and read it. Running it again changes nothing."""
    for paper in papers(today=today, language=language):
        with seen_by(parent, now=now):
            document = add_document(
                person=parent,
                subject_id=subjects[paper.subject].pk,
                content=paper.text.encode(),
                file_name=paper.name,
                client_id=client_of(paper.label),
                now=now,
            ).document
        read_document(document.pk, clock=lambda: now)
