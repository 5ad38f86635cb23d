"""The site's own settings with one further view, a trivial one for comparisons."""

from config.settings import *  # noqa: F403
from config.settings import TEMPLATES
from server.environment import BASE_DIR

ROOT_URLCONF = "tools.bench.urls"
TEMPLATES[0]["DIRS"] = [BASE_DIR / "templates", BASE_DIR / "tools" / "bench" / "templates"]
