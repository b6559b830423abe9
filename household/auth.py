"""Signing in by name: one backend that finds a person whatever the case of their name."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from household.models import Person
from household.prepared import prepared
from household.rules.names import name_key


@prepared()
def _of_session(*, pk: int) -> QuerySet[Person]:
    return Person.objects.filter(pk=pk)


class NameBackend(AuthenticationBackend):
    """Checks a name and passphrase; name comparison follows `household.rules.names`."""

    def get_user(self, user_id: int) -> Person | None:
        """The person of a session, asked on every request; None where there is none, or one put aside."""
        person = next(iter(_of_session.rows(pk=user_id)), None)
        return person if person is not None and self.user_can_authenticate(person) else None

    def _authenticate_by_username(self, username: str, password: str) -> Person | None:
        person: Person | None = Person.objects.filter(name_key=name_key(username)).first()
        return self._check_password(person, password) if person else None


class AccountAdapter(DefaultAccountAdapter):
    """Accounts are made by the first run and by invitations, never by a public form."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": _("That name and passphrase do not go together. Look at both again."),
        "too_many_login_attempts": _(
            "Too many wrong tries for this name from this device. Wait five minutes and try again;"
            " on any other device you can sign in meanwhile."
        ),
    }

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count wrong tries by name and address together, so that a guesser locks nobody else out."""
        name = credentials.get("username", "")
        return f"{self.get_client_ip(request)}:{name_key(name)}"

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: there is no public sign-up."""
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send nothing: a home has no mail server unless a parent set one."""
