"""Fixtures every test may use: a database cloned from the migrated template, and its addresses."""

from __future__ import annotations

import datetime as dt
import gc
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import connection
from django.template import Context, Template
from django.test import TransactionTestCase
from django.test.signals import template_rendered

from tests import laws, second_wall, shared_cluster, turns  # noqa: F401 (laws: what property tests go by)


@pytest.fixture(scope="session")
def running_server() -> Iterator[None]:
    """The shared PostgreSQL of this checkout, running."""
    with shared_cluster.server_running():
        yield


@pytest.fixture(scope="session", autouse=True)
def emptied_by_deleting() -> Iterator[None]:
    """After a transactional test only tables that hold something are emptied; the schema was never in doubt.

    Django would truncate every table and run what follows a migration again, which took half a second.
    """

    def emptied(_case: TransactionTestCase) -> None:
        shared_cluster.empty(connection.settings_dict["NAME"])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", emptied)
        yield


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is long comes by turns. The many small files of rules come last.

    Workers get whole files, and the small ones fill what is left.
    """
    turns.leave_for_other_days(config, items)
    items.sort(key=lambda item: "rules" in item.path.parent.name)


def pytest_collection_finish() -> None:
    """Ten thousand collected tests are no garbage: the collector need not look through them ever again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def pages_noted_once(django_test_environment: None) -> Iterator[None]:
    """Django notes the context of a page for tests, and not again for each of its hundreds of parts."""

    def render(self: Template, context: Context) -> str:
        if not getattr(context, "is_noted", False):
            context.is_noted = True  # type: ignore[attr-defined]
            template_rendered.send(sender=self, template=self, context=context)
        return self.nodelist.render(context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render)
        yield


@pytest.fixture(scope="session", autouse=True)
def static_files_on_demand() -> None:
    """Static files are looked up when asked for: each new test client would read the whole folder else.

    They go by their own names: one that carries a hash exists only where some test has collected them.
    """
    settings.WHITENOISE_AUTOREFRESH = True
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"


@pytest.fixture(scope="session", autouse=True)
def hashed_with_little_work() -> Iterator[None]:
    """Passphrases are hashed as a box hashes them, but for the work: that takes a third of a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Argon2PasswordHasher, "time_cost", 1)
        patch.setattr(Argon2PasswordHasher, "memory_cost", 64)  # KiB, the least for its eight lanes
        yield


@pytest.fixture(scope="session", autouse=True)
def words_compiled() -> None:
    """The translations, which a fresh checkout has only as text."""
    from household.box.assets import compile_words

    compile_words()


@pytest.fixture(autouse=True)
def a_worker_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening Today closes no overdue days, unless a test says that no worker lives."""
    from twin.services.rounds.degraded import Watch

    monkeypatch.setattr(Watch, "looked_at", dt.datetime.max.replace(tzinfo=dt.UTC))


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest,
    running_server: None,
    django_db_blocker: pytest.FixtureRequest,
) -> Iterator[None]:
    """This process's own copy of the migrated template, as owner under every alias."""
    name = shared_cluster.database_name()
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        shared_cluster.clone(name, shared_cluster.template())
        shared_cluster.point_django_at(name)
    yield
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        shared_cluster.drop(name)


@pytest.fixture
def database_urls(django_db_setup: None) -> dict[str, str]:
    """The test database's addresses by role, for a test that starts a process of its own."""
    return {role: shared_cluster.url(role, shared_cluster.database_name()) for role in ("owner", "web")}


@pytest.fixture(autouse=True)
def behind_the_second_wall(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are served as the web role wherever a test may use the database."""
    if request.node.get_closest_marker("django_db") or {"db", "transactional_db"} & {*request.fixturenames}:
        second_wall.serve_as_web(monkeypatch)
