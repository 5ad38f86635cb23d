"""Django settings for tests, independent of environment variables and of the data folder."""

import os
import tempfile

SETTABLE = (
    "ALLOWED_HOSTS CSRF_TRUSTED_ORIGINS DEBUG DEFAULT_FROM_EMAIL EMAIL_HOST HOST HSTS_SUBDOMAINS "
    "HTTPS LOG_FORMAT LOG_LEVEL METRICS_TOKEN PORT PROXIES REDIS_URL SECRET_KEY SITE_URL "
    "TEMPORADA_LOCAL WEBHOOK_ALLOW_NETWORKS WEBHOOK_HTTP WEBHOOK_PORTS"
)
for name in SETTABLE.split():
    os.environ.pop(name, None)
os.environ["DATA"] = tempfile.mkdtemp(prefix="temporada-tests-")

from config.settings import *  # noqa: F403

CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "near": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"},
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WRITES_A_MINUTE = FILES_A_MINUTE = 10**9  # tests send more requests than a person
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
WHITENOISE_AUTOREFRESH = True  # otherwise each test client scans all static files
