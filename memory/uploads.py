"""The first look at an upload: a document past its size is let run out, and never kept in any folder."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadhandler import FileUploadHandler, SkipFile

from memory.rules.documents.limits import MAX_BYTES

TOO_LARGE = "hearthbook.too_large"  # names of files that were let run out, in the request's META


class PaperUpload(FileUploadHandler):
    """Stands before Django's own handlers; it bounds documents alone."""

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """The same data. Raises SkipFile past the limit."""
        request: Any = self.request
        if start + len(raw_data) > MAX_BYTES and request.path.endswith("/documents/add"):
            request.META.setdefault(TOO_LARGE, []).append(self.file_name or "")
            raise SkipFile
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Leave the finished file to the next handler."""
