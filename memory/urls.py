"""Addresses of turns and memories."""

from django.urls import URLPattern, path

from memory.views import asking, document_acts, documents, forgetting, journal, settled, turns

app_name = "memory"
urlpatterns: list[URLPattern] = [
    path("forget/<str:kind>/<str:key>", forgetting.forget_show, name="forget-show"),
    path("forgotten/<uuid:gid>", forgetting.forgetting_show, name="forgetting-show"),
    path("ask/", asking.ask_show, name="ask-show"),
    path("ask/now", asking.ask_stream, name="ask-stream"),
    path("ask/<int:pk>", asking.ask_answer, name="ask-answer"),
    path("ask/<int:pk>/thumb", asking.ask_thumb, name="ask-thumb"),
    path("journal/", journal.journal_list, name="journal-list"),
    path("journal/<str:on>", journal.journal_show, name="journal-show"),
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
    path("book/<int:pk>/documents", documents.document_list, name="document-list"),
    path("book/<int:pk>/documents/add", documents.document_add, name="document-add"),
    path("d/<str:doc_id>", documents.document_show, name="document-show"),
    path("d/<str:doc_id>/progress", documents.document_progress, name="document-progress"),
    path("d/<str:doc_id>/correct", document_acts.document_correct, name="document-correct"),
    path("d/<str:doc_id>/unlock", document_acts.document_unlock, name="document-unlock"),
    path("d/<str:doc_id>/retry", document_acts.document_retry, name="document-retry"),
    path("d/<str:doc_id>/forget", document_acts.document_forget, name="document-forget"),
    path("d/<str:doc_id>/original", document_acts.document_original, name="document-original"),
    path("d/<str:doc_id>/thumbnail", document_acts.document_thumbnail, name="document-thumbnail"),
    path("findings/<int:pk>/accept", document_acts.finding_accept, name="finding-accept"),
    path("findings/<int:pk>/decline", document_acts.finding_decline, name="finding-decline"),
]
