"""The household's tables."""

from household.models.house import Device, ForgetOwed, Heartbeat, Job, Register
from household.models.people import AccessLog, Household, Membership, Person

__all__ = [
    "AccessLog",
    "Device",
    "ForgetOwed",
    "Heartbeat",
    "Household",
    "Job",
    "Membership",
    "Person",
    "Register",
]
