"""The one settings file: safe by default, read from the environment through `household.env`.

Every variable named here is documented in docs/configuration.md; a test compares the two.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from household import env
from household.box import places

BASE_DIR = Path(__file__).resolve().parent.parent
HOME = Path(env.text("HEARTHBOOK_HOME", str(BASE_DIR / "var"))).expanduser().absolute()
VERSION = "0.1.0"

DEBUG = env.flag("DEBUG")


def _secret_key() -> str:
    """The key kept in the data folder, made on first use and readable by its owner only."""
    path = HOME / "secret.key"
    try:
        if not path.exists():
            HOME.mkdir(parents=True, exist_ok=True, mode=0o700)
            part = path.with_suffix(f".{secrets.token_hex(4)}")
            part.touch(mode=0o600)
            part.write_text(secrets.token_urlsafe(64))
            try:
                path.hardlink_to(part)  # the first process to get here wins
            except FileExistsError:
                pass
            finally:
                part.unlink()
        return path.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(f"The data folder {HOME} cannot be used: {error.strerror}.") from None


def _make_uploads() -> None:
    """The folder on our own disk in which an upload rests until it is stored."""
    try:
        (HOME / "uploads").mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise ImproperlyConfigured(f"The data folder {HOME} cannot be used: {error.strerror}.") from None


# Several hosts of one household share sessions, so they share the key.
SECRET_KEY = env.text("HEARTHBOOK_SECRET_KEY") or _secret_key()
_make_uploads()


# A statement is prepared once a connection of the web has asked it so often: to plan a question of a page
# again costs the database as much as to answer it. The worker asks few things twice.
PREPARE_AFTER = 3


def _database(url: str) -> dict[str, Any]:
    """Django's settings for one postgresql:// address. Raises ImproperlyConfigured on any other."""
    parts = urlsplit(url)
    if parts.scheme not in {"postgresql", "postgres"} or not parts.path.strip("/"):
        raise ImproperlyConfigured("DATABASE_URL must look like postgresql://user:password@host:5432/name.")
    query = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or query.pop("user", "")),
        "PASSWORD": unquote(parts.password or query.pop("password", "")),
        "HOST": query.pop("host", "") or unquote(parts.hostname or ""),
        "PORT": str(parts.port or query.pop("port", "")),
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": True,
        "OPTIONS": {"server_side_binding": True, **query},
    }


def read_databases() -> tuple[str, dict[str, Any]]:
    """The role of this process and its databases, from the environment as it is now.

    The web process connects as a role that owns nothing; everything else as the owner. Without DATABASE_URL
    and OWNER_DATABASE_URL both reach the embedded server that `up` runs on this data folder.
    """
    role = env.text("HEARTHBOOK_ROLE", "owner")
    if role not in {"owner", "web"}:
        raise ImproperlyConfigured(f"HEARTHBOOK_ROLE must be owner or web, not {role!r}.")
    web = env.text("DATABASE_URL", places.embedded_url(HOME, places.WEB))
    given = env.text("DATABASE_URL", places.embedded_url(HOME, places.OWNER))
    owner = env.text("OWNER_DATABASE_URL", given)
    default = _database(web if role == "web" else owner)
    if role == "web":
        default["OPTIONS"]["prepare_threshold"] = PREPARE_AFTER
    return role, {"default": default, "owner": {**_database(owner), "TEST": {"MIRROR": "default"}}}


PROCESS_ROLE, DATABASES = read_databases()
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "household",
    "twin",
    "memory",
    "voice",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django_htmx",
    "pgtrigger",
    "template_partials",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "household.middleware.private_responses",
    "household.middleware.first_run",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "household.middleware.chosen_language",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "csp.middleware.CSPMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
]

ROOT_URLCONF = "household.urls"
WSGI_APPLICATION = "household.wsgi.application"
TEMPLATE_FILES = [
    "django.template.loaders.filesystem.Loader",
    "django.template.loaders.app_directories.Loader",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                ("template_partials.loader.Loader", [("household.templating.Loader", TEMPLATE_FILES)])
            ],
            "builtins": ["django.templatetags.i18n", "django.templatetags.static", "household.tags"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
                "household.context.page",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.DjangoTemplates"

# People sign in by name and passphrase; an address is optional.
AUTH_USER_MODEL = "household.Person"
AUTHENTICATION_BACKENDS = ["household.auth.NameBackend"]
ACCOUNT_ADAPTER = "household.auth.AccountAdapter"
ACCOUNT_FORMS = {"change_password": "household.auth.PassphraseForm"}
ACCOUNT_USER_MODEL_USERNAME_FIELD = "name"
ACCOUNT_USER_MODEL_EMAIL_FIELD = "email"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_USERNAME_MIN_LENGTH = 1
ACCOUNT_PRESERVE_USERNAME_CASING = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_GET = False
# Guessing is slowed by name and address together (household.auth): nobody can lock a family out.
ACCOUNT_RATE_LIMITS = {
    "login": "120/m/ip",
    "login_failed": "60/m/ip,10/5m/key",
    "reauthenticate": "20/m/user",
}
MFA_ADAPTER = "household.auth.SecondStepAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Hearthbook"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_ENGINE = "household.sessions"
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"

# A home network has many names for one box: its address, its .local name, a proxy's name.
ALLOWED_HOSTS = [name for name in env.text("HEARTHBOOK_HOSTS", "*").split(",") if name]
CSRF_TRUSTED_ORIGINS = [name for name in env.text("HEARTHBOOK_ORIGINS").split(",") if name]
BEHIND_TLS_PROXY = env.flag("HEARTHBOOK_TLS_PROXY")
SERVES_TLS = env.flag("HEARTHBOOK_HTTPS") or BEHIND_TLS_PROXY
ALLAUTH_TRUSTED_PROXY_COUNT = int(BEHIND_TLS_PROXY)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_TLS_PROXY else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SERVES_TLS
CSRF_COOKIE_HTTPONLY = False
CSRF_FAILURE_VIEW = "household.views.system.refused_csrf"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if SERVES_TLS else None
X_FRAME_OPTIONS = "DENY"
# Large uploads rest on the box's own disk, whose temporary folder may be small or in memory.
FILE_UPLOAD_TEMP_DIR = HOME / "uploads"
FILE_UPLOAD_HANDLERS = [
    "memory.uploads.PaperUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:", "blob:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "media-src": [SELF, "blob:"],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("tr", _("Turkish"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = HOME / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {
        "BACKEND": env.text("MEDIA_STORAGE", "django.core.files.storage.FileSystemStorage"),
        "OPTIONS": env.options("MEDIA_STORAGE_OPTIONS") or {"location": HOME / "media"},
    },
    "staticfiles": {
        "BACKEND": "household.storage.PageFiles"
        if not DEBUG
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"

# Nothing a family writes may reach a log: no query texts, no request bodies, paths as templates only.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line"},
        "null": {"class": "logging.NullHandler"},
    },
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "WARNING").upper()},
    "loggers": {
        "hearthbook": {"level": "INFO"},
        "django.db.backends": {"level": "CRITICAL"},
        "django.request": {"handlers": ["null"], "propagate": False},
        "huey": {"level": "WARNING"},
    },
}
PGTRIGGER_INSTALL_ON_MIGRATE = False
SILENCED_SYSTEM_CHECKS: list[str] = []
