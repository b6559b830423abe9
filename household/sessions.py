"""Django's sessions in the database, their query made once: every request asks it."""

from __future__ import annotations

import datetime as dt

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from household.prepared import prepared


@prepared()
def _running(*, key: str, now: dt.datetime) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now)


class SessionStore(db.SessionStore):
    """What is kept of one visitor."""

    def _get_session_from_db(self) -> Session | None:
        found = _running.rows(key=self.session_key, now=timezone.now())
        if found:
            return found[0]
        self._session_key = None
        return None
