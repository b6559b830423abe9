"""The household's tables."""

from household.models.house import Device, ForgetOwed, Heartbeat, Job, Register
from household.models.people import AccessLog, Household, Membership, Person
from household.models.thinking import Endpoint, ThinkingSpend

__all__ = [
    "AccessLog",
    "Device",
    "Endpoint",
    "ForgetOwed",
    "Heartbeat",
    "Household",
    "Job",
    "Membership",
    "Person",
    "Register",
    "ThinkingSpend",
]
