"""The app's entry in Django's registry."""

from django.apps import AppConfig


class VoiceConfig(AppConfig):
    """Names the app."""

    name = "voice"
