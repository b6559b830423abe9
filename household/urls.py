"""The composition root: every page and the API in one list."""

from django.urls import URLPattern, URLResolver, include, path

from household.views import system

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", system.health, name="healthz"),
]
