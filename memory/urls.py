"""Addresses of turns and memories."""

from django.urls import URLPattern, path

from memory.views import turns

app_name = "memory"
urlpatterns: list[URLPattern] = [
    path("tell", turns.turn_tell, name="turn-tell"),
    path("turns/<str:turn>", turns.turn_show, name="turn-show"),
    path("turns/<str:turn>/undo", turns.turn_undo, name="turn-undo"),
    path("questions/<int:pk>/answer", turns.question_answer, name="question-answer"),
    path("statements/<int:pk>/subject", turns.statement_choose, name="statement-choose"),
]
