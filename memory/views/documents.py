"""Documents of a subject: the list with its progress, handing in, one document, and its file."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from household.access import Denied, may_do, require, visible
from household.rules.permissions import Action, Resource, Role
from household.views.pages import Asked, for_members
from memory.documents_shown import (
    PAGES_SHOWN,
    UNDER_WAY,
    Card,
    card_of,
    finding_label,
    shown_pages,
    title_of,
    with_passages,
)
from memory.models import Document, DocumentText, ProposedFinding
from memory.rules.documents.ids import parse
from memory.rules.documents.limits import MAX_BYTES
from memory.rules.documents.sniffing import NotADocument
from memory.services.documents.adding import BeingForgotten, EmptyFile, TooLarge, add_document, safe_name
from memory.services.documents.deciding import document_of, may_change
from memory.uploads import TOO_LARGE
from memory.views.document_forms import CorrectionForm
from twin.views.subject_nav import note_professional_look, subject_page

LIST_SIZE = 20
MOST_FILES = 20


def asked_document(request: Asked, doc_id: str) -> Document:
    """The document of an address, if this person may see it. Raises Denied."""
    number = parse(doc_id)
    if number is None:
        raise Denied
    return document_of(request.user, number)


def reach(request: Asked, pk: int) -> bool:
    """Whether this person may add; passes whoever may view or add. Raises Denied."""
    if pk not in request.sight.subjects:
        raise Denied
    may_add = may_do(request.user, Action.ADD, Resource.DOCUMENT, pk)
    if not may_add:
        require(request.user, Action.VIEW, Resource.DOCUMENT, pk)
    return may_add


@for_members
def document_list(request: Asked, pk: int) -> HttpResponse:
    """Everything that was handed in about one subject, the newest paper first; polled, only its rows."""
    may_add = reach(request, pk)
    return _list_page(request, pk, may_add=may_add)


def _list_page(request: Asked, pk: int, *, may_add: bool, problems: list[str] | None = None) -> HttpResponse:
    rows = visible(request.user, Resource.DOCUMENT, Document.objects.filter(subject_id=pk))
    rows = rows.order_by("-day", "-id").prefetch_related("stages")
    page = Paginator(rows, LIST_SIZE).get_page(request.GET.get("page"))
    documents = list(page.object_list)
    cards: list[Card] = [card_of(one, list(one.stages.all())) for one in documents]
    note_professional_look(request, pk, Resource.DOCUMENT, *[one.doc_id for one in documents])
    context = {
        **subject_page(request, pk, at="memory:document-list"),
        "cards": cards,
        "is_under_way": any(card.is_under_way for card in cards),
        "page_obj": page,
        "may_add": may_add,
        "problems": problems or [],
        "client_id": uuid.uuid4(),
        "most_mb": MAX_BYTES // 1024 // 1024,
        "poll_url": f"{request.path}?page={page.number}",
    }
    is_poll = request.htmx and request.htmx.target == "documents"
    status = 422 if problems else 200
    return render(request, "memory/document_list.html" + ("#rows" if is_poll else ""), context, status=status)


@for_members
def document_add(request: Asked, pk: int) -> HttpResponse:
    """Hand in one or several files; each says by itself what became of it."""
    require(request.user, Action.ADD, Resource.DOCUMENT, pk)
    if request.method != "POST":
        return redirect("memory:document-list", pk)
    files = [*request.FILES.getlist("files"), *request.FILES.getlist("photo")]
    too_large = [_too_large(safe_name(name)) for name in request.META.get(TOO_LARGE, [])]
    if not files and not too_large:
        return _list_page(request, pk, may_add=True, problems=[_("Choose a file first.")])
    client_id = request.POST.get("client_id", "")[:40] or str(uuid.uuid4())
    problems, added = too_large, []
    for number, file in enumerate(files[:MOST_FILES]):
        problem, document = _take(request, pk, file, client_id=f"{client_id}:{number}")
        problems += [problem] if problem else []
        added += [document] if document else []
    if len(files) > MOST_FILES:
        problems.append(
            _("At most %(number)d files at once: the others were left out.") % {"number": MOST_FILES}
        )
    if added:
        told = ngettext(
            "Kept. It is being read.", "%(number)d documents are kept and being read.", len(added)
        )
        messages.success(request, told % {"number": len(added)} if len(added) > 1 else told)
    if problems:
        return _list_page(request, pk, may_add=True, problems=problems)
    return redirect("memory:document-list", pk)


def _take(request: Asked, pk: int, file: UploadedFile[Any], *, client_id: str) -> tuple[str, Document | None]:
    """What was wrong with one file, or the document it became."""
    name = safe_name(file.name or "") or _("The file")
    if (file.size or 0) > MAX_BYTES:
        return _too_large(name), None
    try:
        added = add_document(
            person=request.user,
            subject_id=pk,
            content=file.read(),
            file_name=file.name or "",
            client_id=client_id,
            now=request.now,
        )
    except TooLarge:
        return _too_large(name), None
    except EmptyFile:
        return _("%(name)s is empty.") % {"name": name}, None
    except NotADocument:
        kinds = _("PDF, Word (DOCX), plain text, JPEG, PNG or HEIC")
        return _("%(name)s is none of these: %(kinds)s.") % {"name": name, "kinds": kinds}, None
    except BeingForgotten:
        return _("%(name)s is just being forgotten. Once it is gone it can be added anew.") % {
            "name": name
        }, None
    if not added.is_new and added.document.client_id != client_id:
        old = added.document
        told = _("%(name)s is here already: %(title)s (%(id)s).")
        messages.info(request, told % {"name": name, "title": title_of(old), "id": old.doc_id})
        return "", None
    return "", added.document


def _too_large(name: str) -> str:
    return _("%(name)s is larger than %(mb)d MB. Scan it at 300 dpi, or hand it in in parts.") % {
        "name": name,
        "mb": MAX_BYTES // 1024 // 1024,
    }


@for_members
def document_show(request: Asked, doc_id: str) -> HttpResponse:
    """One document: what it is, what it says, what it proposes, its text by page."""
    return show_page(request, asked_document(request, doc_id))


def show_page(
    request: Asked,
    document: Document,
    *,
    form: CorrectionForm | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page of one document, with a form that was refused where there is one."""
    pk = document.subject_id
    note_professional_look(request, pk, Resource.DOCUMENT, document.doc_id)
    number = request.GET.get("page", "1")
    wanted = int(number) if number.isdecimal() and len(number) < 6 else 1
    first = (max(wanted, 1) - 1) // PAGES_SHOWN * PAGES_SHOWN
    texts, proposals = _read_so_far(document, first)
    changes = may_change(request.user, document)
    is_parent = Role.PARENT in request.sight.subjects[pk].roles
    context: dict[str, Any] = {
        **subject_page(request, pk, at="memory:document-list"),
        "document": document,
        "card": card_of(document, list(document.stages.all()) if document.state in UNDER_WAY else []),
        "summary": getattr(document, "summary", None),
        "pages": shown_pages(texts),
        "has_hidden": any(one.hidden for one in texts),
        "earlier": first if first else 0,
        "later": first + PAGES_SHOWN + 1 if document.pages > first + PAGES_SHOWN else 0,
        "proposals": [(one, finding_label(one)) for one in proposals if one.state != "declined"],
        "is_parent": is_parent,
        "may_change": changes,
        "form": form or (CorrectionForm(document) if changes else None),
        "problem": problem,
    }
    return render(request, "memory/document_show.html", context, status=status)


def _read_so_far(document: Document, first: int) -> tuple[list[DocumentText], list[ProposedFinding]]:
    """Some pages of the text with their passages, and all findings; nothing while the reading goes on."""
    if document.state in UNDER_WAY:
        return [], []
    texts = document.texts.filter(page__gt=first, page__lte=first + PAGES_SHOWN).order_by("page")
    proposals = document.proposals.select_related("record").order_by("page", "ordinal")
    return list(with_passages(texts)), list(proposals)


@for_members
def document_progress(request: Asked, doc_id: str) -> HttpResponse:
    """How far the reading is; once it has ended the page is opened anew."""
    document = asked_document(request, doc_id)
    card = card_of(document, list(document.stages.all()))
    response = render(request, "memory/document_show.html#progress", {"document": document, "card": card})
    if not card.is_under_way and request.htmx:
        response["HX-Refresh"] = "true"
    return response
