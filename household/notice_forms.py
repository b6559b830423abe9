"""The forms of channels and of the household's mail server."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from household.models import Channel, MailServer
from household.models.notices import MAIL_SECURITY
from household.rules.notices import IN_FEED

NOTICE_LABELS = {
    "medicine": _("A medicine is overdue"),
    "agenda": _("Today’s questions wait"),
    "red_flag": _("A red flag"),
    "crisis": _("The companion heard distress"),
    "round": _("A day was closed"),
    "backup": _("A backup failed"),
}


class ChannelForm(forms.Form):
    """What a channel tells, and how much of it."""

    notices = forms.MultipleChoiceField(
        label=_("Tell me when"), choices=list(NOTICE_LABELS.items()), widget=forms.CheckboxSelectMultiple
    )
    has_detail = forms.BooleanField(
        label=_("Say what it is"),
        required=False,
        help_text=_("Otherwise the text says only that something waits. Others may read it on the way."),
    )

    def __init__(self, channel: Channel | None, data: Any = None) -> None:
        start = {} if channel is None else {"notices": channel.notices, "has_detail": channel.has_detail}
        if channel is not None and "address" in self.base_fields:
            start["address"] = channel.address
        super().__init__(data, initial=start)


class NtfyForm(ChannelForm):
    """An ntfy topic."""

    address = forms.CharField(
        label=_("The topic’s address"),
        max_length=300,
        widget=forms.URLInput(attrs={"placeholder": "https://ntfy.example/our-house"}),
        help_text=_("On your own ntfy server, or a public one with a topic nobody can guess."),
    )
    secret = forms.CharField(
        label=_("Access token"),
        required=False,
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=_("Leave it empty to keep the one there is."),
    )
    field_order = ("address", "secret", "notices", "has_detail")

    def clean_address(self) -> str:
        """A topic's address on the web. Raises ValidationError."""
        address = str(self.cleaned_data["address"]).strip()
        try:
            parts = urlsplit(address)
            is_topic = parts.scheme in ("http", "https") and bool(parts.hostname) and len(parts.path) > 1
            is_topic = is_topic and (parts.port or 1) > 0 and not parts.username
        except ValueError:
            is_topic = False
        if not is_topic or not address.isascii() or any(one.isspace() for one in address):
            raise ValidationError(_("This is no address of a topic."))
        return address


class MailForm(ChannelForm):
    """An e-mail address."""

    address = forms.EmailField(label=_("Your e-mail address"), max_length=254)
    field_order = ("address", "notices", "has_detail")


class FeedForm(ChannelForm):
    """A calendar feed."""

    notices = forms.MultipleChoiceField(
        label=_("It shows"),
        choices=[("medicine", _("When medicines are due")), ("agenda", _("Today’s questions"))],
        widget=forms.CheckboxSelectMultiple,
    )


assert {"medicine", "agenda"} == set(IN_FEED)


class MailServerForm(forms.Form):
    """The server the household's e-mails go through."""

    host = forms.CharField(label=_("Server"), max_length=200)
    port = forms.IntegerField(label=_("Port"), min_value=1, max_value=65535, initial=587)
    security = forms.ChoiceField(label=_("Encryption"), choices=MAIL_SECURITY, initial="starttls")
    username = forms.CharField(label=_("Name at the server"), max_length=200, required=False)
    password = forms.CharField(
        label=_("Password at the server"),
        max_length=200,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=_("Leave it empty to keep the one there is."),
    )
    sender = forms.EmailField(label=_("Sent from"))

    def __init__(self, server: MailServer | None, data: Any = None) -> None:
        names = ("host", "port", "security", "username", "sender")
        super().__init__(data, initial={one: getattr(server, one) for one in names} if server else {})
