"""The ways, beside pages, by which a person can be shown what somebody wrote of a subject."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client
from django.utils import timezone

from household.models import Person
from tests.security.canaries import Flock
from twin.models import Subject

# Every way by which a person can be shown a subject's data: (client, subject, flock) to the text shown.
# Pages are walked by the expectations; what answers, searches or exports beside them registers here.
Way = Callable[[Client, Person, Subject, Flock], str]
WAYS: dict[str, Way] = {}


def way(name: str) -> Callable[[Way], Way]:
    """Register a way of being shown something, for the canary tests to try with every role."""

    def register(function: Way) -> Way:
        WAYS[name] = function
        return function

    return register


@way("search")
def everything_that_is_found(client: Client, person: Person, subject: Subject, flock: Flock) -> str:
    """Every planted word of the subject, looked for a few at a time."""
    from memory.services.finding.entries import fill_due

    fill_due()
    words = [one.word for one in flock.by_word.values() if one.subject_id == subject.pk]
    answers = [
        client.post("/search/", {"words": " ".join(words[at : at + 20])}).content.decode()
        for at in range(0, len(words), 20)
    ]
    return "".join(answer.split('id="found"', 1)[-1] for answer in answers)


@way("ask")
def what_is_answered(client: Client, person: Person, subject: Subject, flock: Flock) -> str:
    """What answers say of a subject: courses, events, medicines, ways, the profile; documents and words."""
    shown = []
    for words in ("what should I tell the therapist?", "what did the report say?"):
        response = client.post("/ask/", {"subject": str(subject.pk), "words": words}, follow=True)
        shown.append(response.content.decode(errors="replace").split('id="answer-title-', 1)[-1])
    return "".join(shown)


@way("export")
def everything_that_is_carried_out(client: Client, person: Person, subject: Subject, flock: Flock) -> str:
    """The rows of an export of the subject, where the person is given one."""
    import io
    import zipfile

    from household.models import Export
    from memory.services.exporting.making import fill

    client.post("/system/export", {"subjects": [subject.pk]})
    row = Export.objects.filter(author=person, subjects=[subject.pk], state="waiting").first()
    if row is None:
        return ""
    buffer = io.BytesIO()
    fill(row, buffer, now=timezone.now())
    row.delete()
    with zipfile.ZipFile(buffer) as archive:
        return "".join(archive.read(name).decode() for name in archive.namelist() if name.startswith("data/"))
