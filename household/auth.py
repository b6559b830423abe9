"""Signing in by name, and what allauth says of it, in the house's own words."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.forms import ChangePasswordForm, PasswordVerificationMixin
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from household.forms import DIFFERENT, fitting_passphrase
from household.models import Person
from household.prepared import prepared
from household.rules.names import name_key

# Showing once more who one is, by allauth's names for the ways.
WAYS = {
    "reauthenticate": _("Use your passphrase"),
    "mfa_reauthenticate": _("Use a code"),
    "mfa_reauthenticate:webauthn": _("Use a passkey"),
}


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
        "enter_current_password": _("That is not your passphrase of now."),
        "incorrect_password": _("That is not your passphrase."),
        "username_password_mismatch": _("That name and passphrase do not go together. Look at both again."),
        # Said at the second step too.
        "too_many_login_attempts": _("Too many wrong tries. Wait five minutes, then try again."),
        "rate_limited": _("Too many tries at once. Wait a few minutes, then try again."),
    }

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count wrong tries by name and address together, so that a guesser locks nobody else out."""
        name = credentials.get("username", "")
        return f"{self.get_client_ip(request)}:{name_key(name)}"

    def clean_password(self, password: str, user: Person | None = None) -> str:
        """The passphrase; raises ValidationError where it is too short or too common."""
        return fitting_passphrase(password, user)

    def get_reauthentication_methods(self, user: AbstractBaseUser | AnonymousUser) -> list[dict[str, Any]]:
        """The ways to show once more who one is."""
        ways: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [{**way, "description": WAYS[way["id"]]} for way in ways if way["id"] in WAYS]

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: there is no public sign-up."""
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send nothing: a home has no mail server unless a parent set one."""


class SecondStepAdapter(DefaultMFAAdapter):
    """The second step, where it is refused."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "cannot_generate_recovery_codes": _(
            "Set up the app or a passkey first: codes on paper stand in for them."
        ),
        "incorrect_code": _(
            "That did not fit. A code from the app lasts half a minute: take the one it shows now."
        ),
    }

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:
        """What a passkey is called until its person calls it something else."""
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return _now("Passkey %(number)s") % {"number": number}


class PassphraseForm(ChangePasswordForm):
    """A new passphrase, twice."""

    def clean(self) -> dict[str, Any]:
        """Refuse two passphrases that differ."""
        given: dict[str, Any] = super(PasswordVerificationMixin, self).clean()
        if "password1" in given and "password2" in given and given["password1"] != given["password2"]:
            self.add_error("password2", DIFFERENT)
        return given
