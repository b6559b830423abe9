"""What the database itself does to rows when the row they point to goes, whoever deletes it."""

from django.db import migrations

from household.migrating import cascade

CASCADES = (
    ("memory_strategyuse", "event_id", "CASCADE"),
    ("memory_openquestion", "asked_of_id", "CASCADE"),
    ("memory_openquestion", "drawer_id", "CASCADE"),
    ("memory_openquestion", "subject_id", "CASCADE"),
    ("memory_answer", "question_id", "CASCADE"),
    ("memory_answer", "subject_id", "CASCADE"),
    ("memory_cachedanswer", "answer_id", "CASCADE"),
    ("memory_cachedanswer", "subject_id", "CASCADE"),
    ("memory_question", "subject_id", "CASCADE"),
    ("memory_answerevidence", "answer_id", "CASCADE"),
    ("memory_answerevidence", "episode_id", "CASCADE"),
    ("memory_answerevidence", "event_id", "CASCADE"),
    ("memory_answerevidence", "fact_id", "CASCADE"),
    ("memory_answerevidence", "fill_id", "CASCADE"),
    ("memory_answerevidence", "medicine_id", "CASCADE"),
    ("memory_answerevidence", "passage_id", "CASCADE"),
    ("memory_answerevidence", "pattern_id", "CASCADE"),
    ("memory_answerevidence", "person_id", "CASCADE"),
    ("memory_answerevidence", "profile_id", "CASCADE"),
    ("memory_answerevidence", "record_id", "CASCADE"),
    ("memory_answerevidence", "statement_id", "CASCADE"),
    ("memory_answerevidence", "strategy_id", "CASCADE"),
    ("memory_documentstage", "document_id", "CASCADE"),
    ("memory_documentsummary", "document_id", "CASCADE"),
    ("memory_documenttext", "document_id", "CASCADE"),
    ("memory_passage", "document_id", "CASCADE"),
    ("memory_proposedfinding", "document_id", "CASCADE"),
    ("memory_episode", "event_id", "CASCADE"),
    ("memory_episode", "statement_id", "CASCADE"),
    ("memory_episoderecord", "episode_id", "CASCADE"),
    ("memory_episoderecord", "record_id", "CASCADE"),
    ("memory_patternevidence", "event_id", "CASCADE"),
    ("memory_patternevidence", "fill_id", "CASCADE"),
    ("memory_patternevidence", "pattern_id", "CASCADE"),
    ("memory_patternevidence", "record_id", "CASCADE"),
    ("memory_patternmove", "pattern_id", "CASCADE"),
    ("memory_chatsession", "subject_id", "CASCADE"),
    ("memory_chatturn", "session_id", "CASCADE"),
    ("memory_linepicture", "line_id", "CASCADE"),
    ("memory_memory", "subject_id", "CASCADE"),
    ("memory_memoryembedding", "memory_id", "CASCADE"),
    ("memory_memorymention", "memory_id", "CASCADE"),
    ("memory_memorypicture", "memory_id", "CASCADE"),
    ("memory_memoryrevision", "memory_id", "CASCADE"),
    ("memory_pendingreflection", "subject_id", "CASCADE"),
    ("memory_picture", "subject_id", "CASCADE"),
    ("memory_softaction", "memory_id", "CASCADE"),
    ("memory_tombstonepicture", "tombstone_id", "CASCADE"),
    ("memory_tombstoneturn", "tombstone_id", "CASCADE"),
    ("memory_journalline", "author_id", "SET NULL"),
    ("memory_journalline", "subject_id", "SET NULL"),
    ("memory_owederasure", "author_id", "SET NULL"),
    ("memory_owederasure", "subject_id", "SET NULL"),
    ("memory_tombstone", "subject_id", "SET NULL"),
)


class Migration(migrations.Migration):
    dependencies = [("memory", "0002_journal_words")]
    operations = [cascade(*one) for one in CASCADES]
