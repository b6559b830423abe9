"""How people are told that something waits, and what is still to be sent: identities only, never words."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

CHANNEL_KINDS = ["ntfy", "email", "calendar"]
NOTICE_KINDS = ["agenda", "medicine", "red_flag", "round", "backup", "crisis"]
NOTICE_STATES = ["waiting", "sent", "failed", "dropped"]
MAIL_SECURITY = [("starttls", _("STARTTLS")), ("tls", _("TLS")), ("none", _("None"))]


class Channel(models.Model):
    """One way one person is told, what of, and whether the text says more than that something waits."""

    person = models.ForeignKey("household.Person", on_delete=models.CASCADE, related_name="channels")
    kind = models.CharField(max_length=8, choices=[(k, k) for k in CHANNEL_KINDS])
    address = models.CharField(max_length=300, blank=True)  # an ntfy topic's URL, or an e-mail address
    secret_encrypted = models.BinaryField(default=b"")  # the topic's token
    token_hash = models.CharField(max_length=64, null=True, unique=True)  # of a feed's address
    notices = ArrayField(models.CharField(max_length=8, choices=[(k, k) for k in NOTICE_KINDS]), default=list)
    has_detail = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())
    error_code = models.CharField(max_length=60, blank=True)  # how the last sending failed

    class Meta:
        constraints = [
            models.UniqueConstraint(name="channel_once", fields=["person", "kind"]),
            models.CheckConstraint(name="channel_kind_known", condition=Q(kind__in=CHANNEL_KINDS)),
            models.CheckConstraint(
                name="channel_feed_has_token",
                condition=Q(kind="calendar", token_hash__isnull=False)
                | ~Q(kind="calendar") & ~Q(address="") & Q(token_hash=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.person_id}"


class Notice(models.Model):
    """One thing one channel is told of, once. Its text is made when it is sent."""

    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="outbox")
    kind = models.CharField(max_length=8, choices=[(k, k) for k in NOTICE_KINDS])
    key = models.CharField(max_length=80)  # numbers of rows and days
    state = models.CharField(max_length=7, choices=[(s, s) for s in NOTICE_STATES], default="waiting")
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    error_code = models.CharField(max_length=60, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="notice_once", fields=["channel", "kind", "key"]),
            models.CheckConstraint(name="notice_kind_known", condition=Q(kind__in=NOTICE_KINDS)),
            models.CheckConstraint(name="notice_state_known", condition=Q(state__in=NOTICE_STATES)),
            models.CheckConstraint(
                name="notice_sent_has_time", condition=~Q(state="sent") | Q(sent_at__isnull=False)
            ),
        ]
        indexes = [models.Index(name="notice_due", fields=["due_at"], condition=Q(state="waiting"))]

    def __str__(self) -> str:
        return f"{self.kind} {self.key} {self.state}"


class MailServer(models.Model):
    """The server the household's e-mails go through; one row, its password encrypted."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    host = models.CharField(_("server"), max_length=200)
    port = models.PositiveIntegerField(_("port"), default=587)
    security = models.CharField(_("encryption"), max_length=8, choices=MAIL_SECURITY, default="starttls")
    username = models.CharField(_("name at the server"), max_length=200, blank=True)
    password_encrypted = models.BinaryField(default=b"")
    sender = models.EmailField(_("sent from"))

    class Meta:
        constraints = [
            models.CheckConstraint(name="mail_one_server", condition=Q(id=1)),
            models.CheckConstraint(name="mail_port_sane", condition=Q(port__gte=1, port__lte=65535)),
        ]

    def __str__(self) -> str:
        return self.host
