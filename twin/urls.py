"""Addresses of the twin's pages."""

from django.urls import URLPattern, path

from twin.views import today

app_name = "twin"
urlpatterns: list[URLPattern] = [
    path("", today.today_show, name="today-show"),
    path("book/<int:pk>/form", today.form_show, name="form-show"),
    path("book/<int:pk>/form/tap", today.form_tap, name="form-tap"),
]
