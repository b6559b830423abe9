"""The job queue's tables, made here so that nothing connects or runs DDL when Huey is imported."""

from django.db import migrations

FORWARDS = """
CREATE TABLE huey_kv (queue text NOT NULL, key text NOT NULL, value bytea NOT NULL, PRIMARY KEY (queue, key));
CREATE TABLE huey_schedule (id bigserial PRIMARY KEY, queue text NOT NULL, data bytea NOT NULL,
    timestamp double precision NOT NULL);
CREATE INDEX huey_schedule_queue_timestamp ON huey_schedule (queue, timestamp);
CREATE TABLE huey_task (id bigserial PRIMARY KEY, queue text NOT NULL, data bytea NOT NULL,
    priority double precision NOT NULL DEFAULT 0.0);
CREATE INDEX huey_task_queue_priority_id ON huey_task (queue, priority DESC, id);
CREATE TABLE huey_counter (queue text NOT NULL, key text NOT NULL, value bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (queue, key));
"""
BACKWARDS = "DROP TABLE huey_kv, huey_schedule, huey_task, huey_counter;"


class Migration(migrations.Migration):
    dependencies = [("household", "0002_the_house")]
    operations = [migrations.RunSQL(FORWARDS, BACKWARDS)]
