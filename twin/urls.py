"""Addresses of the twin's pages."""

from django.urls import URLPattern, path

from twin.views import (
    definitions,
    doses,
    events,
    medicines,
    quicklog,
    records,
    subjects,
    timeline,
    today,
    trackables,
)

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
    path("book/<int:pk>/events", events.event_list, name="event-list"),
    path("book/<int:pk>/events/add", events.event_add, name="event-add"),
    path("events/<int:pk>", events.event_show, name="event-show"),
    path("events/<int:pk>/correct", events.event_correct, name="event-correct"),
    path("events/<int:pk>/undo", events.event_undo, name="event-undo"),
    path("book/<int:pk>/medicines", medicines.medicine_list, name="medicine-list"),
    path("book/<int:pk>/medicines/add", medicines.medicine_add, name="medicine-add"),
    path("medicines/<int:pk>", medicines.medicine_show, name="medicine-show"),
    path("medicines/<int:pk>/change", medicines.medicine_change, name="medicine-change"),
    path("medicines/<int:pk>/stop", medicines.medicine_stop, name="medicine-stop"),
    path("medicines/<int:pk>/dose", doses.dose_add, name="dose-add"),
    path("doses/<int:pk>/correct", doses.dose_correct, name="dose-correct"),
    path("doses/<int:pk>/remove", doses.dose_remove, name="dose-remove"),
    path("book/<int:pk>/counts", trackables.trackable_list, name="trackable-list"),
    path("book/<int:pk>/counts/<int:trackable_id>", trackables.trackable_show, name="trackable-show"),
    path("book/<int:pk>/counts/<int:trackable_id>/log", trackables.trackable_log, name="trackable-log"),
    path("counts/entries/<int:pk>/undo", trackables.entry_take_back, name="trackable-undo"),
    path("counts/add", definitions.trackable_add, name="trackable-add"),
    path("counts/<int:pk>/change", definitions.trackable_change, name="trackable-change"),
    path("counts/<int:pk>/put-away", definitions.trackable_put_away, name="trackable-put-away"),
    path("book/<int:pk>/buttons", quicklog.quicklog_list, name="quicklog-list"),
    path("buttons/<int:pk>/revoke", quicklog.quicklog_revoke, name="quicklog-revoke"),
    path("q/<str:token>", quicklog.quicklog_press, name="quicklog-press"),
]
