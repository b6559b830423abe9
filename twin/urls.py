"""Addresses of the twin's pages."""

from django.urls import URLPattern, path

from twin.views import records, subjects, timeline, today

app_name = "twin"
urlpatterns: list[URLPattern] = [
    path("", today.today_show, name="today-show"),
    path("agenda/<int:pk>", today.agenda_answer, name="agenda-answer"),
    path("book/<int:pk>/form", today.form_show, name="form-show"),
    path("book/<int:pk>/form/tap", today.form_tap, name="form-tap"),
    path("book", subjects.subject_list, name="subject-list"),
    path("book/add", subjects.subject_add, name="subject-add"),
    path("book/<int:pk>", timeline.subject_show, name="subject-show"),
    path("book/<int:pk>/change", subjects.subject_change, name="subject-change"),
    path("book/<int:pk>/profile", subjects.profile_change, name="profile-change"),
    path("r/<str:rec_id>", records.record_show, name="record-show"),
    path("r/<str:rec_id>/correct", records.record_correct, name="record-correct"),
]
