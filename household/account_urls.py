"""Signing in: what this house uses of allauth, and where the rest of its addresses lead.

There is no mail server to reset a passphrase through and no public sign-up; a person's own address for
letters stands under "How you are told". The library asks for all of these names, so none is left out.
"""

from collections.abc import Callable

from allauth.account import views
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import URLPattern, URLResolver, include, path, reverse

# Where an address that is not used here leads: page, names of allauth with their paths.
LEADS_TO = {
    "account_login": {
        "account_inactive": "inactive/",
        "account_confirm_login_code": "login/code/confirm/",
        "account_email_verification_sent": "confirm-email/",
        "account_confirm_email": "confirm-email/<str:key>/",
    },
    "household:recovery-use": {
        "account_set_password": "password/set/",  # for somebody who never had one
        "account_reset_password": "password/reset/",
        "account_reset_password_done": "password/reset/done/",
        "account_reset_password_from_key_done": "password/reset/key/done/",
        "account_reset_password_from_key": "password/reset/key/<str:uidb36>-<str:key>/",
    },
    "account_reauthenticate": {
        "account_request_reauthentication_code": "reauthenticate/code/",
        "account_confirm_reauthentication_code": "reauthenticate/code/confirm/",
    },
    "household:channel-list": {"account_email": "email/"},
}


def _to(page: str) -> Callable[..., HttpResponseRedirect]:
    """A view that leads to a page, whatever its own address held."""

    def lead(request: HttpRequest, **held: str) -> HttpResponseRedirect:
        return HttpResponseRedirect(reverse(page))

    return lead


def _leading() -> list[URLPattern]:
    """Every address that is not used here, each leading on."""
    return [
        path(where, _to(page), name=name)
        for page, addresses in LEADS_TO.items()
        for name, where in addresses.items()
    ]


urlpatterns: list[URLPattern | URLResolver] = [
    path("login/", views.login, name="account_login"),
    path("logout/", views.logout, name="account_logout"),
    path("signup/", views.signup, name="account_signup"),
    path("reauthenticate/", views.reauthenticate, name="account_reauthenticate"),
    path("password/change/", views.password_change, name="account_change_password"),
    path("2fa/", include("allauth.mfa.urls")),
    path("sessions/", include("allauth.usersessions.urls")),
    *_leading(),
]
