"""Addresses of turns and memories."""

from django.urls import URLPattern, path

from memory.views import asking, forgetting, settled, turns

app_name = "memory"
urlpatterns: list[URLPattern] = [
    path("forget/<str:kind>/<str:key>", forgetting.forget_show, name="forget-show"),
    path("forgotten/<uuid:gid>", forgetting.forgetting_show, name="forgetting-show"),
    path("ask/", asking.ask_show, name="ask-show"),
    path("ask/now", asking.ask_stream, name="ask-stream"),
    path("ask/<int:pk>", asking.ask_answer, name="ask-answer"),
    path("ask/<int:pk>/thumb", asking.ask_thumb, name="ask-thumb"),
    path("tell", turns.turn_tell, name="turn-tell"),
    path("turns/<str:turn>", turns.turn_show, name="turn-show"),
    path("turns/<str:turn>/undo", turns.turn_undo, name="turn-undo"),
    path("waiting/<int:pk>/answer", turns.openquestion_answer, name="openquestion-answer"),
    path("book/<int:pk>/settled", settled.fact_list, name="fact-list"),
    path("book/<int:pk>/never", settled.topic_add, name="topic-add"),
    path("facts/<int:pk>/retire", settled.fact_retire, name="fact-retire"),
    path("topics/<int:pk>/remove", settled.topic_remove, name="topic-remove"),
    path("questions/<int:pk>/answer", turns.question_answer, name="question-answer"),
    path("statements/<int:pk>/subject", turns.statement_choose, name="statement-choose"),
]
