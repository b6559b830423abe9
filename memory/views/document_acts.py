"""What people do to a document: correct it, decide on findings, unlock, forget it, open its file."""

from __future__ import annotations

from typing import IO, cast
from urllib.parse import quote

from django.contrib import messages
from django.core.files.storage import default_storage
from django.http import FileResponse, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import Denied
from household.rules.permissions import Resource, Role
from household.services.looks import note_part
from household.views.pages import Asked, for_members
from memory.document_labels import why
from memory.documents_shown import title_of
from memory.models import Document, ProposedFinding
from memory.papers.refusing import Refused
from memory.services.documents.deciding import (
    BadDate,
    BadKind,
    NotPossible,
    accept_finding,
    changeable,
    correct_document,
    decline_finding,
    give_password,
    read_again,
)
from memory.services.documents.forgetting import take_back_document
from memory.views.document_forms import CorrectionForm
from memory.views.documents import asked_document, show_page
from twin.views.subject_nav import note_professional_look, subject_page

TYPES = {
    "pdf": ("application/pdf", "pdf"),
    "docx": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    "txt": ("text/plain; charset=utf-8", "txt"),
    "jpeg": ("image/jpeg", "jpg"),
    "png": ("image/png", "png"),
    "heic": ("image/heic", "heic"),
}
# What is opened runs nothing, reaches nothing and may not be framed.
SEALED = "default-src 'none'; sandbox; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


@require_POST
@for_members
def document_correct(request: Asked, doc_id: str) -> HttpResponse:
    """Say what a document is."""
    document = _changeable(request, doc_id)
    form = CorrectionForm(document, request.POST)
    if not form.is_valid():
        return show_page(request, document, form=form, status=422)
    try:
        correct_document(person=request.user, document_id=document.pk, said=form.said(), now=request.now)
    except BadDate:
        form.add_error("dated_on", _("It cannot lie after the day it came, or before the birth."))
        return show_page(request, document, form=form, status=422)
    except BadKind:
        return show_page(request, document, form=form, status=422)
    messages.success(request, _("Kept."))
    return redirect("memory:document-show", document.doc_id)


def _changeable(request: Asked, doc_id: str) -> Document:
    return changeable(request.user, asked_document(request, doc_id).pk)


@require_POST
@for_members
def document_unlock(request: Asked, doc_id: str) -> HttpResponse:
    """Give the password of a locked PDF."""
    document = _changeable(request, doc_id)
    try:
        give_password(
            person=request.user,
            document_id=document.pk,
            password=request.POST.get("password", "")[:200],
            now=request.now,
        )
    except Refused as refused:
        return show_page(request, document, problem=why(refused.code), status=422)
    except NotPossible:
        return show_page(request, document, problem=_("It asks for no password."), status=409)
    messages.success(request, _("Unlocked. It is being read."))
    return redirect("memory:document-show", document.doc_id)


@require_POST
@for_members
def document_retry(request: Asked, doc_id: str) -> HttpResponse:
    """Try once more to read it."""
    document = _changeable(request, doc_id)
    try:
        read_again(person=request.user, document_id=document.pk, now=request.now)
    except NotPossible:
        return show_page(request, document, problem=_("It is read already."), status=409)
    return redirect("memory:document-show", document.doc_id)


@for_members
def document_forget(request: Asked, doc_id: str) -> HttpResponse:
    """Lead a parent to forgetting; who handed it in and is no parent takes it back here."""
    document = _changeable(request, doc_id)
    pk = document.subject_id
    if Role.PARENT in request.sight.subjects[pk].roles:
        return redirect("memory:forget-show", "document", document.pk)
    title = title_of(document)
    if request.method == "POST":
        try:
            take_back_document(person=request.user, document_id=document.pk, now=request.now)
        except NotPossible:
            told = _("Parents took it over into the book: ask them to forget it.")
            return show_page(request, document, problem=told, status=409)
        messages.success(request, _("Taken back: %(title)s") % {"title": title})
        return redirect("memory:document-list", pk)
    context = {
        **subject_page(request, pk, at="memory:document-list"),
        "document": document,
        "title": title,
        "passages": document.passages.count(),
    }
    return render(request, "memory/document_forget.html", context)


@require_POST
@for_members
def finding_accept(request: Asked, pk: int) -> HttpResponse:
    """File a proposed finding in the book."""
    try:
        finding = accept_finding(person=request.user, finding_id=pk, now=request.now)
    except NotPossible:
        return _refused(request, pk, _("This was left out before."))
    return _decided(request, finding)


@require_POST
@for_members
def finding_decline(request: Asked, pk: int) -> HttpResponse:
    """Leave a proposed finding out of the book."""
    try:
        finding = decline_finding(person=request.user, finding_id=pk, now=request.now)
    except NotPossible:
        return _refused(request, pk, _("It stands in the book already; correct or forget its record there."))
    return _decided(request, finding)


def _decided(request: Asked, finding: ProposedFinding) -> HttpResponse:
    return redirect(f"/d/{finding.document.doc_id}#findings")


def _refused(request: Asked, pk: int, problem: str) -> HttpResponse:
    document = ProposedFinding.objects.select_related("document").get(pk=pk).document
    return show_page(request, document, problem=problem, status=409)


@for_members
def document_original(request: Asked, doc_id: str) -> HttpResponse:
    """The file as it was handed in, as a download."""
    document = asked_document(request, doc_id)
    media_type, ending = TYPES[document.format]
    name = document.file_name or f"{document.doc_id}.{ending}"
    if not name.lower().endswith((f".{ending}", ".jpeg", ".heif")):
        name = f"{name}.{ending}"  # the name follows the content, not the other way
    response = _file(document.stored, media_type)
    if response.status_code == 200:
        note_professional_look(request, document.subject_id, Resource.DOCUMENT, document.doc_id)
    plain = "".join(ch if ch.isascii() and (ch.isalnum() or ch in "._- ") else "_" for ch in name)
    response["Content-Disposition"] = (
        f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
    )
    return response


@for_members
def document_thumbnail(request: Asked, doc_id: str) -> HttpResponse:
    """The small picture of its first page."""
    document = asked_document(request, doc_id)
    if not document.thumbnail:
        raise Denied
    response = _file(document.thumbnail, "image/jpeg")
    response["Content-Disposition"] = "inline"
    if response.status_code == 200 and request.sight.subjects[document.subject_id].is_logged:
        note_part(
            person=request.user,
            subject_id=document.subject_id,
            resource=Resource.DOCUMENT,
            now=request.now,
            row_id=document.doc_id,
        )
    return response


def _file(name: str, media_type: str) -> HttpResponse:
    """The bytes under a name, sealed; 410 where the storage lost them."""
    try:
        file = cast(IO[bytes], default_storage.open(name, "rb"))
    except FileNotFoundError:
        response = HttpResponse(
            _("Its file is missing."), status=410, content_type="text/plain; charset=utf-8"
        )
    else:
        response = cast(HttpResponse, FileResponse(file, content_type=media_type))
    response["Content-Security-Policy"] = SEALED
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    return response
