"""The household's tables."""

from household.models.backups import Backup
from household.models.devices import Device, PairingCode, TimeSpent
from household.models.exports import Export
from household.models.house import ForgetOwed, Heartbeat, Job, Register, Rewritten
from household.models.invitations import Invitation, RecoveryCode
from household.models.notices import Channel, MailServer, Notice
from household.models.people import AccessLog, Household, Membership, Person
from household.models.thinking import Endpoint, ThinkingSpend

__all__ = [
    "AccessLog",
    "Backup",
    "Channel",
    "Device",
    "Endpoint",
    "Export",
    "ForgetOwed",
    "Heartbeat",
    "Household",
    "Invitation",
    "Job",
    "MailServer",
    "Membership",
    "Notice",
    "PairingCode",
    "Person",
    "RecoveryCode",
    "Register",
    "Rewritten",
    "ThinkingSpend",
    "TimeSpent",
]
