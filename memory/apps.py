"""The app's entry in Django's registry."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Names the app."""

    name = "memory"

    def ready(self) -> None:
        """Lend the twin below what it may ask of memory, and add the night's step."""
        from memory.services import open_questions, settled
        from twin.services.above import above
        from twin.services.rounds.run import STEPS

        above.settled = settled.settled_signs
        above.ruled_out = settled.ruled_out
        above.waiting = open_questions.waiting_questions
        if "open_questions" not in dict(STEPS):
            STEPS.append(("open_questions", open_questions.age))
