"""The app's entry in Django's registry, and what it adds to the app below it when it is loaded."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Names the app."""

    name = "memory"

    def ready(self) -> None:
        """Lend the twin what it may ask of memory, keep episodes of what it files, add steps of the night."""
        from memory.crisis_shown import crises_today
        from memory.services import notices, open_questions, settled, strategies
        from memory.services.counting.night import consolidate
        from memory.services.crises import unseen_rows
        from memory.services.episodes import keep_event, keep_told
        from twin.services.above import above
        from twin.services.importing.undoing import OF_ITSELF
        from twin.services.kept import keeping
        from twin.services.rounds.run import STEPS

        notices.register()
        OF_ITSELF.update(f"memory.{name}" for name in ("Counting", "DayLevels", "PairCount", "WorkingSet"))
        above.settled = settled.settled_signs
        above.ruled_out = settled.ruled_out
        above.waiting = strategies.waiting
        above.tried, above.tell_tried = strategies.names_of_tried, strategies.tell_tried
        above.crisis_rows, above.crises = unseen_rows, crises_today
        keeping.event, keeping.entry = keep_event, keep_told
        if "open_questions" not in dict(STEPS):
            place = list(dict(STEPS)).index("frame")
            STEPS[place:place] = [("patterns", consolidate), ("strategies", strategies.expire_follow_ups)]
            STEPS.append(("open_questions", open_questions.age))
