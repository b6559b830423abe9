"""Addresses of the voice."""

from django.urls import path

from voice import views

app_name = "voice"
urlpatterns = [
    path("household/voice", views.settings_show, name="settings-show"),
    path("voice/speak", views.text_speak, name="text-speak"),
]
