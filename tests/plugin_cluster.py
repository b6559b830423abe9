"""Loaded by pytest before Django reads its settings: the tests' own data folder and database addresses."""

from __future__ import annotations

import os

from tests import shared_cluster

HOME = shared_cluster.CACHE / "home"
os.environ["HEARTHBOOK_HOME"] = str(HOME)
os.environ["DATABASE_URL"] = shared_cluster.url("web", shared_cluster.database_name())
os.environ["OWNER_DATABASE_URL"] = shared_cluster.url("owner", shared_cluster.database_name())
os.environ.pop("HEARTHBOOK_ROLE", None)
