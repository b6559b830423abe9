"""Forgetting: what is reached, taking it, what is owed on disk afterwards, and the proof."""

from memory.services.forgetting.devices import forget_in_the_book
from memory.services.forgetting.following import finish, follow_up
from memory.services.forgetting.forget import Busy, Look, forget, look
from memory.services.forgetting.reaching import Asker, asker, asker_seen, reach_of

__all__ = [
    "Asker",
    "Busy",
    "Look",
    "asker",
    "asker_seen",
    "finish",
    "follow_up",
    "forget",
    "forget_in_the_book",
    "look",
    "reach_of",
]
