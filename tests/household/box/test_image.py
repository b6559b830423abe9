"""The container files say what the box needs: roles, grants, everything the image is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import yaml

from household.box import bootstrap, foreign, places, tuning
from household.box.cluster import Cluster
from tests.household.box.container import make_roles
from tests.household.box.running import a_roomy_folder

DOCKER = places.CHECKOUT / "docker"


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    """A PostgreSQL nobody has made roles on yet, as an image's first start has it."""
    with a_roomy_folder() as folder:
        cluster = Cluster(folder / "home", durable=False)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()


def test_the_roles_script_makes_a_server_the_box_takes_with_both_walls(server: Cluster) -> None:
    make_roles(server, owner="owner's secret", web="web's secret")
    owner, web = (server.url(role, "hearthbook") for role in ("hearthbook", "hearthbook_web"))
    adopted = foreign.adopt(owner, web, server.house)
    assert adopted == foreign.Addresses(web, owner, second_wall=True)
    with psycopg.connect(owner, autocommit=True) as base:
        base.execute("CREATE TABLE book (id bigint)")
        base.execute("CHECKPOINT")
        base.execute("SELECT pg_switch_wal(), count(*) FROM pg_ls_waldir()")
    with psycopg.connect(web, autocommit=True) as base:
        assert base.execute("SELECT count(*) FROM book").fetchone() == (0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            base.execute("DROP TABLE book")


def test_the_roles_script_grants_what_the_embedded_server_grants() -> None:
    script = re.sub(r"\s+", " ", (DOCKER / "roles.sh").read_text())
    for statement in bootstrap.OWNER_GRANTS:
        for name in re.findall(r"pg_\w+|wal_recycle|log_\w+", statement):
            assert name in script, name


def test_the_database_container_keeps_the_settings_forgetting_needs() -> None:
    compose = (DOCKER / "compose.yaml").read_text()
    usual = {"wal_keep_size", "archive_mode", "max_prepared_transactions", "log_statement"}
    usual |= {"log_min_duration_statement", "maintenance_work_mem"}  # the server's own defaults will do
    for name, value in tuning.FORGETTING.items():
        assert name in usual or f"-c{name}={value}" in compose, name


def test_every_password_is_chosen_and_none_is_given() -> None:
    example = (DOCKER / ".env.example").read_text()
    compose = (DOCKER / "compose.yaml").read_text()
    for name in ("SUPERUSER_PASSWORD", "OWNER_PASSWORD", "WEB_PASSWORD"):
        assert re.search(rf"^{name}=$", example, re.M)
        assert f"{name}:?set {name}" in compose


def test_the_image_holds_every_app_and_runs_as_nobody_special() -> None:
    dockerfile = (DOCKER / "Dockerfile").read_text()
    wanted = {path.parent.name for path in places.CHECKOUT.glob("*/apps.py")} | {
        "templates",
        "static",
        "locale",
    }
    for name in wanted:
        assert f"COPY {name} {name}" in dockerfile
        assert f"!{name}" in (places.CHECKOUT / ".dockerignore").read_text().splitlines()
    assert dockerfile.rfind("USER hearthbook") > dockerfile.rfind("FROM")
    assert "HEALTHCHECK" in dockerfile


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    """The services of compose.yaml."""
    composed: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yaml").read_text())
    assert composed["volumes"].keys() == {"house", "database", "models", "caddy"}
    found: dict[str, Any] = composed["services"]
    return found


def test_only_box_and_database_start_unless_a_profile_is_asked_for(services: dict[str, Any]) -> None:
    assert {name: service.get("profiles") for name, service in services.items()} == {
        "box": None,
        "database": None,
        "ollama": ["models"],
        "caddy": ["tls"],
    }


def test_the_box_waits_for_its_database_and_may_write_nothing_else(services: dict[str, Any]) -> None:
    box, database = services["box"], services["database"]
    assert box["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert "127.0.0.1" in database["healthcheck"]["test"]
    assert (box["read_only"], box["cap_drop"]) == (True, ["ALL"])
    assert box["security_opt"] == ["no-new-privileges:true"]
    assert box["volumes"] == ["house:/data"]
    assert (DOCKER / "roles.sh").exists() and (DOCKER / "Caddyfile").exists()
    # Longer than the box itself takes to stop the database.
    assert all(int(service["stop_grace_period"].rstrip("s")) > 45 for service in (box, database))


def test_database_and_model_can_be_reached_from_no_other_machine(services: dict[str, Any]) -> None:
    open_to_the_network = {name for name, service in services.items() if "ports" in service}
    assert open_to_the_network == {"box", "caddy"}
    assert not any("network_mode" in service or service.get("privileged") for service in services.values())


def test_web_and_owner_are_two_roles_of_the_script_that_makes_them(services: dict[str, Any]) -> None:
    env, roles = services["box"]["environment"], (DOCKER / "roles.sh").read_text()
    for name, role in (("DATABASE_URL", "hearthbook_web"), ("OWNER_DATABASE_URL", "hearthbook")):
        assert f"://{role}:" in env[name]
        assert f"CREATE ROLE {role} LOGIN NOSUPERUSER NOCREATEROLE NOBYPASSRLS" in roles
    assert {"OWNER_PASSWORD", "WEB_PASSWORD"} <= services["database"]["environment"].keys()


def test_every_variable_is_in_the_example_and_every_setting_is_documented(services: dict[str, Any]) -> None:
    example = (DOCKER / ".env.example").read_text()
    asked = set(re.findall(r"\$\{(\w+)", (DOCKER / "compose.yaml").read_text()))
    documented = (places.CHECKOUT / "docs" / "configuration.md").read_text()
    assert [name for name in sorted(asked) if name not in example] == []
    assert all(name in documented for name in services["box"]["environment"])
