"""The app's entry in Django's registry."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Names the app."""

    name = "memory"
