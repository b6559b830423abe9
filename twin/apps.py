"""The app's entry in Django's registry."""

from django.apps import AppConfig


class TwinConfig(AppConfig):
    """Names the app."""

    name = "twin"

    def ready(self) -> None:
        """Let people be told what this app knows."""
        from twin.services.notices import register

        register()
