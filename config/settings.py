"""All settings, read from the environment. Invalid values raise an error."""

import os
from urllib.parse import urlsplit

import font_fjallaone
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from accounts.loopback import is_loopback
from core.redis_client.connection import TIMEOUTS
from server.environment import (
    BASE_DIR,
    DEFAULT_PORT,
    EarlySettings,
    Environment,
    SettingError,
    broker,
    check_secrets,
    database,
    networks,
    ports,
    secret_key,
    site_url,
)
from server.health.tracing import without_traceback_of_refusals
from server.log_redaction import JsonFormatter, LineFormatter

environment = Environment(os.environ)
early = EarlySettings.from_environment(environment)

# Address, hosts and secrets
DATA_DIR, HOST, PORT = early.data_dir, early.host, early.port
DEBUG, PROXIES, ALLOWED_HOSTS = early.debug, early.proxies, early.allowed_hosts
LOCAL_ONLY = all(is_loopback(name) for name in [*ALLOWED_HOSTS, HOST]) and not PROXIES
SECRET_KEY = secret_key(environment.text("SECRET_KEY"), data=DATA_DIR, local_only=LOCAL_ONLY)

# Whether a visitor from this machine may sign in as the director with one click. Only
# `manage.py up` sets TEMPORADA_LOCAL.
LOCAL_CHAIR = environment.flag("TEMPORADA_LOCAL")
LOCAL_CHAIR_REFUSED = early.local_chair_refused
if LOCAL_CHAIR and LOCAL_CHAIR_REFUSED:
    raise SettingError(
        "TEMPORADA_LOCAL opens the director's chair to every visitor, so it is only for a site "
        f"that is used on one machine; but {' and '.join(LOCAL_CHAIR_REFUSED)}."
    )

# HTTPS, cookies and security headers
HTTPS = environment.flag("HTTPS", default=not LOCAL_ONLY)
# URL of the site in emails and calendars, because workers have no request to read it from.
SITE_URL = site_url(
    environment.text("SITE_URL"),
    hosts=ALLOWED_HOSTS,
    port=PORT if LOCAL_ONLY else None,
    https=HTTPS,
)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 30 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = environment.flag("HSTS_SUBDOMAINS")
SECURE_SSL_REDIRECT = HTTPS and PROXIES > 0  # without a proxy, nothing serves HTTPS
# Django's checks warn if the HSTS header excludes subdomains or preloading. Only the domain's owner
# knows whether all subdomains support HTTPS.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXIES else None
SECURE_REFERRER_POLICY = "same-origin"
CSRF_TRUSTED_ORIGINS = environment.words("CSRF_TRUSTED_ORIGINS")
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30  # seconds from sign-in
# Browsers send a cookie to all ports of a host, so two sites on one machine need different cookie
# names. Public sites and the default port have no suffix, so that their users stay signed in.
COOKIE_SUFFIX = f"_{PORT}" if LOCAL_ONLY and PORT != DEFAULT_PORT else ""
# Browsers accept a cookie with the prefix `__Host-` only over HTTPS and only from this host.
HOST_PREFIX = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME = f"{HOST_PREFIX}sessionid{COOKIE_SUFFIX}"
CSRF_COOKIE_NAME = f"{HOST_PREFIX}csrftoken{COOKIE_SUFFIX}"
LANGUAGE_COOKIE_NAME = f"django_language{COOKIE_SUFFIX}"
MESSAGES_COOKIE_NAME = f"messages{COOKIE_SUFFIX}"
# Cookies with the visitor's preferences, see `accounts.cookies`.
THEME_COOKIE_NAME = f"theme{COOKIE_SUFFIX}"
WORDING_COOKIE_NAME = f"wording{COOKIE_SUFFIX}"
ZONE_COOKIE_NAME = f"zone{COOKIE_SUFFIX}"
KEYS_COOKIE_NAME = f"keys{COOKIE_SUFFIX}"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

# Applications, middleware and templates
INSTALLED_APPS = [
    "accounts",
    "actas",
    "api",
    "events",
    "corridas",
    "leagues",
    "dominoes",
    "eltoro",
    "live",
    "search",
    "lessons",
    "empresas",
    "config.apps.ConfigConfig",
    "config.apps.SiteAdminConfig",  # django.contrib.admin
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "rules.apps.AutodiscoverRulesConfig",
    "template_partials.apps.SimpleAppConfig",  # its loaders are in TEMPLATES
]
MIDDLEWARE = [
    "server.health.middleware.HealthMiddleware",
    *([] if PROXIES else ["server.compression.CompressionMiddleware"]),
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.PolicyMiddleware",
    "config.middleware.AllowedMethodsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.middleware.LanguageMiddleware",
    "accounts.wording.WordingMiddleware",
    "accounts.time_zones.TimeZoneMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.middleware.UserMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.HtmxRedirectMiddleware",
    "config.middleware.RequestLimitMiddleware",
    "config.large_forms.LargeFormMiddleware",
    "config.middleware.UnstorableValuesMiddleware",
    "corridas.pages.spoilers.views.SpoilerMiddleware",
]
MESSAGE_STORAGE = "config.middleware.MessageStorage"
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "django.template.loaders.cached.Loader",
                            [
                                "config.template_loader.Loader",
                                "django.template.loaders.app_directories.Loader",
                            ],
                        )
                    ],
                )
            ],
            "builtins": ["template_partials.templatetags.partials"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context_processors.visitor",
            ],
        },
    }
]

# Database and caches
DATABASE_URL = environment.text("DATABASE_URL")
DATABASES = {"default": database(DATABASE_URL, DATA_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = environment.text("REDIS_URL", "redis://127.0.0.1:6379/0")
if not (LOCAL_ONLY and is_loopback(urlsplit(SITE_URL).hostname or "")):
    check_secrets(secret_key=SECRET_KEY, database_url=DATABASE_URL, redis_url=REDIS_URL)
CACHES = {
    "default": {
        "BACKEND": "config.cache.FaultTolerantRedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "temporada",
        "OPTIONS": TIMEOUTS,
    },
    # Cache in the memory of each process, for values that are read often and never change.
    "near": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "near",
        "OPTIONS": {"MAX_ENTRIES": 200},
    },
}

# Celery. Tasks store no result, because they write their results to database rows.
CELERY_BROKER_URL = broker(REDIS_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 300,  # seconds
    "unacked_restore_interval": 1,
    "socket_connect_timeout": 2,
    "socket_timeout": 5,  # a worker's poll takes a second
    "max_retries": 0,  # otherwise a page waits 6 s for an unreachable broker
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY = False  # an unreachable broker raises an error at once
CELERY_WORKER_CONSUMER = "server.workers:Consumer"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 5.0  # seconds
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "warnings": {"task": "config.tasks.warn", "schedule": 30.0, "options": {"expires": 30}},
    "mail": {"task": "accounts.tasks.send_letters", "schedule": 60.0, "options": {"expires": 60}},
    "exits": {"task": "accounts.tasks.sweep_people", "schedule": 600.0, "options": {"expires": 90}},
    "acts": {"task": "api.tasks.forget", "schedule": 3600.0, "options": {"expires": 3600}},
    "sweep": {"task": "corridas.tasks.sweep", "schedule": 1.0, "options": {"expires": 5}},
    "evenings": {"task": "corridas.tasks.evenings", "schedule": 10.0, "options": {"expires": 10}},
    "tables": {"task": "leagues.tasks.sweep_tables", "schedule": 1.0, "options": {"expires": 5}},
    "events": {"task": "events.tasks.number_waiting", "schedule": 2.0, "options": {"expires": 5}},
    "webhooks": {
        "task": "leagues.tasks.deliver_webhooks",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "results": {
        "task": "leagues.tasks.sweep_results",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "revalidation": {
        "task": "actas.tasks.begin_revalidation",
        "schedule": crontab(hour=3, minute=17),
        "options": {"expires": 3600},
    },
    "bundles": {
        "task": "corridas.tasks.sweep_bundles",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "copies": {
        "task": "corridas.tasks.sweep_copies",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "chances": {
        "task": "corridas.tasks.sweep_chances",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "lost_revalidations": {
        "task": "actas.tasks.sweep_revalidations",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
}
CELERY_BEAT_SCHEDULER = "server.beat:LeadingScheduler"  # several may run, but only one sends tasks
# People wait for the simulation of a corrida and for every move at a game table. So tasks that take
# long have Celery workers of their own and delay neither. Tasks that are not listed here go to the
# queue `celery`.
CELERY_TASK_ROUTES = {
    "corridas.tasks.play_corrida": {"queue": "live"},
    "corridas.tasks.run_season": {"queue": "long"},
    "corridas.tasks.make_bundle": {"queue": "long"},
    "corridas.tasks.bring_bundle": {"queue": "long"},
    "corridas.tasks.copy_circuit": {"queue": "long"},
    "corridas.tasks.remove_copy": {"queue": "long"},
    "corridas.tasks.count_scores": {"queue": "long"},
    "corridas.tasks.fill_chances": {"queue": "long"},
    "leagues.tasks.recount_ratings": {"queue": "long"},
    "leagues.tasks.deliver_webhooks": {"queue": "long"},
    "accounts.tasks.make_export": {"queue": "long"},
    "accounts.tasks.send_letters": {"queue": "long"},  # a mail server may respond slowly
    "actas.tasks.*": {"queue": "long"},
    "leagues.tasks.play_bot": {"queue": "tables"},
    "leagues.tasks.sweep_tables": {"queue": "tables"},
}

# Users, sign-in and rate limits
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "rules.permissions.ObjectPermissionBackend",
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator"}
    for name in ("UserAttributeSimilarity", "MinimumLength", "CommonPassword", "NumericPassword")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "accounts.pages.forms.SignupForm",
    "change_password": "accounts.pages.forms.ChangePasswordEndAccessForm",
    "set_password": "accounts.pages.forms.SetPasswordEndAccessForm",
    "reset_password_from_key": "accounts.pages.forms.ResetPasswordEndAccessForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_USERNAME_VALIDATORS = "accounts.authentication.USERNAME_VALIDATORS"
ACCOUNT_USERNAME_BLACKLIST = ["director"]  # reserved for the local director
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {
    "add_webauthn": "accounts.pages.forms.AddSecurityKeyForm",
    "edit_webauthn": "accounts.pages.forms.EditSecurityKeyForm",
    "signup_webauthn": "accounts.pages.forms.SignupSecurityKeyForm",
}
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = LOCAL_ONLY
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES
# Rate limits in addition to allauth's own limits. They are counted in the cache.
ACCOUNT_RATE_LIMITS = {
    "export": "10/h/user",
    "leave": "10/h/user",
    "profile": "30/m/user",
    "login_failed": "10/m/ip,5/300s/key",  # attempts per account and IP address
    "login_failed_day": "100/d/key",  # attempts per account from all addresses
}

# Email. Without a mail server, email addresses are not verified.
EMAIL_HOST = environment.text("EMAIL_HOST")
EMAIL_PORT = environment.whole_number("EMAIL_PORT", 587, low=1, high=65535)
EMAIL_HOST_USER = environment.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = environment.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = environment.flag("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = environment.text("DEFAULT_FROM_EMAIL", "temporada@localhost")
# Without a mail server, a local site prints emails to the terminal. A public site drops them,
# because its output goes to a log and emails contain secret links.
_PRINTED_OR_DROPPED = "console" if LOCAL_ONLY else "dummy"
EMAIL_BACKEND = (
    f"django.core.mail.backends.{'smtp' if EMAIL_HOST else _PRINTED_OR_DROPPED}.EmailBackend"
)
# Without a mail server, the sign-up form has no email field: the site could not verify the address,
# and the error for an address in use would reveal that it belongs to an account.
ACCOUNT_SIGNUP_FIELDS = [
    "username*",
    *(["email*"] if EMAIL_HOST else []),
    "password1*",
    "password2*",
]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if EMAIL_HOST else "optional"
# Without a mail server, users may add a passkey or authenticator app without a verified address.
MFA_ALLOW_UNVERIFIED_EMAIL = not EMAIL_HOST
# Sign-up with a passkey instead of a password requires an email address that was verified in the
# same browser.
MFA_PASSKEY_SIGNUP_ENABLED = environment.flag("PASSKEY_SIGNUP", default=True) and bool(EMAIL_HOST)
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = MFA_PASSKEY_SIGNUP_ENABLED

# Webhooks are sent to public addresses only, unless these networks allow private ones.
WEBHOOK_ALLOW_NETWORKS = networks(
    environment.words("WEBHOOK_ALLOW_NETWORKS"), "WEBHOOK_ALLOW_NETWORKS"
)
WEBHOOK_HTTP = environment.flag("WEBHOOK_HTTP")  # allow http:// URLs
WEBHOOK_PORTS = ports(environment.words("WEBHOOK_PORTS", ["443", "80"]), "WEBHOOK_PORTS")
WEBHOOKS_A_LEAGUE = environment.whole_number("WEBHOOKS_A_LEAGUE", 5, low=0, high=100)

# Maximum number of objects per user or circuit. Superusers have no limits.
MAX_CIRCUITS_PER_USER = environment.whole_number(
    "MAX_CIRCUITS_PER_USER", 5, low=0, high=1000, former="CIRCUITS_A_USER"
)
# Maximum number of rows in a user's copies of circuits, including archived ones. A season has about
# 9,000.
COPIED_ROWS_A_USER = environment.whole_number("COPIED_ROWS_A_USER", 1_000_000, low=0, high=10**9)
SEASONS_A_CIRCUIT = environment.whole_number("SEASONS_A_CIRCUIT", 100, low=1, high=10_000)
MATADORS_A_CIRCUIT = environment.whole_number("MATADORS_A_CIRCUIT", 500, low=3, high=10_000)
MAX_LIVE_CORRIDAS_PER_USER = environment.whole_number(
    "MAX_LIVE_CORRIDAS_PER_USER", 3, low=1, high=1000, former="ON_THE_SAND_A_USER"
)

# Maximum size of requests, and rate limits per user
BODY_BYTES = environment.whole_number("BODY_BYTES", 64 * 1024 * 1024, low=1024, high=2**40)
CONNECTIONS_AN_ADDRESS = environment.whole_number(
    "CONNECTIONS_AN_ADDRESS", 200, low=1, high=1_000_000
)
PAGE_PROCESSES = environment.whole_number(
    "PAGE_PROCESSES", 2, low=1, high=64
)  # they share rate limits
WRITES_A_MINUTE = environment.whole_number("WRITES_A_MINUTE", 240, low=1, high=1_000_000)
FILES_A_MINUTE = environment.whole_number(
    "FILES_A_MINUTE", 12, low=1, high=1_000_000
)  # uploads to be checked
DOWNLOADS_A_MINUTE = environment.whole_number("DOWNLOADS_A_MINUTE", 20, low=1, high=1_000_000)

# API
API_READS_A_MINUTE = environment.whole_number("API_READS_A_MINUTE", 600, low=1, high=1_000_000)
API_WRITES_A_MINUTE = environment.whole_number("API_WRITES_A_MINUTE", 120, low=1, high=1_000_000)
API_BODY_BYTES = 256 * 1024
API_FILE_BYTES = 6 * 1024 * 1024  # maximum body size with a file
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_PAGINATION_CLASS": "api.pagination.KeysetPagination",
    "DEFAULT_PARSER_CLASSES": ["api.parsing.BoundedJSONParser"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "api.schema.ProblemAutoSchema",
    "DEFAULT_THROTTLE_CLASSES": ["api.throttling.ReadThrottle", "api.throttling.WriteThrottle"],
    "EXCEPTION_HANDLER": "api.problems.exception_handler",
    "NUM_PROXIES": PROXIES,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    "URL_FORMAT_OVERRIDE": None,  # `format` is a filter of leagues
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Temporada",
    "DESCRIPTION": _(
        "Everything that a public page shows can be read without an API key. Every "
        "action requires an API key."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [],  # do not move choices into named enums
}

# Languages and time zone
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("es", _("Spanish"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.locale_formats"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True
USE_TZ = True
TIME_ZONE = "UTC"

# Static files: served from their source folders, or collected once in a container image
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static", ("fonts", font_fjallaone.font_directory)]
STATIC_ROOT = environment.text("STATIC_ROOT") or None  # set if files are collected
WHITENOISE_USE_FINDERS = STATIC_ROOT is None
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_MAX_AGE = 0 if DEBUG else 300  # seconds
WHITENOISE_MIMETYPES = {".ttf": "font/ttf"}
STATIC_STORAGE = (
    "server.static_storage.StaticFilesStorage"
    if STATIC_ROOT
    else "django.contrib.staticfiles.storage.StaticFilesStorage"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": STATIC_STORAGE},
}

# Maximum size of a roster file. Further limits are in corridas.roster.files.columns.
ROSTER_LIMITS = {"file_bytes": 8 * 1024 * 1024, "unpacked_bytes": 48 * 1024 * 1024, "rows": 60_000}

# Monitoring. With this token, other machines may read /metrics.
METRICS_TOKEN = environment.secret("METRICS_TOKEN", least=20)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "routine": {
            "()": "server.health.tracing.RoutineTaskFilter",
            "tasks": [entry["task"] for entry in CELERY_BEAT_SCHEDULE.values()],
        },
        "traced": {"()": "server.health.tracing.RequestIdFilter"},
        "refusals": {
            "()": "django.utils.log.CallbackFilter",
            "callback": without_traceback_of_refusals,
        },
    },
    "formatters": {
        "line": {
            "()": LineFormatter,
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
        },
        "json": {
            "()": JsonFormatter,
            "format": "%(levelname)s %(name)s %(message)s %(request_id)s %(task_id)s",
            "rename_fields": {"levelname": "level", "name": "logger"},
            "timestamp": True,
        },
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": environment.one_of("LOG_FORMAT", ["line", "json"]),
            "filters": ["routine", "traced", "refusals"],
        }
    },
    # Remove Django's own handlers, which print secret URLs unredacted with DEBUG and `runserver`.
    "loggers": {name: {"handlers": [], "propagate": True} for name in ("django", "django.server")},
    "root": {
        "handlers": ["stderr"],
        "level": environment.one_of("LOG_LEVEL", ["WARNING", "DEBUG", "INFO", "ERROR"]),
    },
}

# Environment variables that are set under a former name, for a warning of `manage.py check`.
FORMER_SETTING_NAMES = environment.former_names
