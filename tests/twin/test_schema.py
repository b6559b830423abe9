"""What the database itself refuses."""

import pytest
from django.db import IntegrityError, transaction

from twin.models import Record, Subject

pytestmark = pytest.mark.django_db


def test_a_record_has_an_absolute_time_or_an_age_but_never_both():
    cat = Subject.objects.create(species="cat", name="Mavi")
    with pytest.raises(IntegrityError, match="record_time_absolute_or_age"), transaction.atomic():
        Record.objects.create(
            subject=cat, kind="history", started_on="2026-01-01", age_low_months=1, age_high_months=2
        )
    row = Record.objects.create(subject=cat, kind="history", category="ears", asserted="normal")
    row.refresh_from_db()
    assert row.polarity == "normal"
    assert row.rec_id.startswith("rec_")
