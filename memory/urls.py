"""Addresses of turns and memories."""

from django.urls import URLPattern

app_name = "memory"
urlpatterns: list[URLPattern] = []
