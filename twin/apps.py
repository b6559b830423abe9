"""The app's entry in Django's registry."""

from django.apps import AppConfig


class TwinConfig(AppConfig):
    """Names the app."""

    name = "twin"
