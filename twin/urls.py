"""Addresses of the twin's pages."""

from django.urls import URLPattern, path

app_name = "twin"
urlpatterns: list[URLPattern] = []
