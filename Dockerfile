# One image for all processes of the site: pages, feed, workers, clock.
#   docker build -t temporada .
FROM python:3.13.5-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PYTHONDONTWRITEBYTECODE=1
RUN python -m venv /venv
WORKDIR /app
COPY requirements.lock ./
# Install only the packages of the lock file, and check their hashes.
RUN /venv/bin/pip install --require-hashes --no-deps --only-binary :all: -r requirements.lock
COPY . .
# Compile translations, and collect static files with compressed copies. The build contains no secrets.
RUN DATA=/tmp/build /venv/bin/python -c "\
from pathlib import Path; from config.translations import compile_catalogues; \
compile_catalogues(Path('locale'))" \
    && DATA=/tmp/build STATIC_ROOT=/app/staticfiles \
        /venv/bin/python manage.py collectstatic --noinput --verbosity 0 \
    && /venv/bin/python -m compileall -q /venv /app \
    && rm -rf /tmp/build /app/tests /app/tools /app/docs /app/var

FROM python:3.13.5-slim-bookworm
RUN groupadd --system --gid 10001 temporada \
    && useradd --system --uid 10001 --gid temporada --home-dir /nonexistent --shell /usr/sbin/nologin temporada \
    && install --directory --owner temporada --group temporada --mode 0700 /data
COPY --from=build /venv /venv
COPY --from=build /app /app
WORKDIR /app
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    HOST=0.0.0.0 DATA=/data STATIC_ROOT=/app/staticfiles LOG_FORMAT=json
USER temporada
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-m", "server.health", "pages"]
CMD ["python", "manage.py", "web", "--port", "8000", "--processes", "2"]
