"""Run Caddy and nginx with the shipped configuration files, on free ports, with local
certificates.
"""

from __future__ import annotations

import getpass
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any

from tests.browser import HOST
from tests.site import ROOT, free_port
from tests.waiting import PATIENCE

CADDY = str(Path(sys.executable).with_name("caddy"))


class _Process:
    """A server in a separate process."""

    _process: subprocess.Popen[bytes] | None = None

    def stop(self) -> None:
        """Stop the process and wait for its end."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE)


class Proxy(_Process):
    """Caddy with the shipped Caddyfile; only its ports and its certificate authority differ."""

    def __init__(self, folder: Path, pages: int, feed: int, host: str = HOST) -> None:
        folder.mkdir()
        self.port, self._folder, self._host = free_port(), folder, host
        self._environment = {"PATH": os.environ["PATH"], "HOME": str(folder)} | {
            "XDG_DATA_HOME": str(folder),
            "SITE_HOST": host,
            "PAGES": f"127.0.0.1:{pages}",
            "FEED": f"127.0.0.1:{feed}",
        }

    def start(self) -> None:
        """Start Caddy, which answers after a moment."""
        settings = self._folder / "caddy.json"
        settings.write_text(json.dumps(self._settings()))
        with (self._folder / "caddy.log").open("wb") as log:
            self._process = subprocess.Popen(
                [CADDY, "run", "--config", str(settings)],
                env=self._environment,
                stdout=log,
                stderr=log,
            )

    def _settings(self) -> dict[str, Any]:
        told = subprocess.run(
            [CADDY, "adapt", "--config", "deploy/Caddyfile", "--adapter", "caddyfile"],
            cwd=ROOT,
            env=self._environment,
            check=True,
            capture_output=True,
            text=True,
        )
        settings: dict[str, Any] = json.loads(told.stdout)
        apps = settings["apps"]
        (server,) = apps["http"]["servers"].values()
        server["listen"] = [f"127.0.0.1:{self.port}"]
        server["automatic_https"] = {"disable_redirects": True}
        server["logs"] = {}  # what `log` in the site's block adds: a line for every request
        own = {"subjects": [self._host], "issuers": [{"module": "internal"}]}
        apps["tls"] = {"automation": {"policies": [own]}}
        apps["pki"] = {"certificate_authorities": {"local": {"install_trust": False}}}
        return settings | {"admin": {"disabled": True}}

    def log(self) -> str:
        return (self._folder / "caddy.log").read_text("utf-8")

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> HTTPResponse:
        """Send a request over TLS with a verified certificate, and return the response with an
        unread body.
        """
        line = _LocalConnection(self.port, self._trust())
        line.request(method, path, body=body, headers=headers or {})
        return line.getresponse()

    def _trust(self) -> ssl.SSLContext:
        root = self._folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        return ssl.create_default_context(cafile=str(root))


def nginx() -> str | None:
    """Return the path of an installed nginx, or None."""
    return shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")


class Nginx(_Process):
    """nginx with the shipped nginx.conf in a minimal configuration; only ports and certificate
    differ.
    """

    def __init__(self, program: str, folder: Path, pages: int, feed: int) -> None:
        folder.mkdir()
        self.port, self.plain_port = free_port(), free_port()
        self._program, self._folder = program, folder
        (folder / "nginx.conf").write_text(self._settings(pages, feed))

    def start(self) -> None:
        """Start nginx, which answers after a moment."""
        certify = (
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
        )
        files = ["-keyout", "privkey.pem", "-out", "fullchain.pem", "-subj", f"/CN={HOST}"]
        command = [*certify.split(), *files]
        subprocess.run(command, cwd=self._folder, check=True, capture_output=True)
        log = str(self._folder / "nginx.log")
        command = [self._program, "-p", str(self._folder), "-c", "nginx.conf", "-e", log]
        self._process = subprocess.Popen(command)

    def _settings(self, pages: int, feed: int) -> str:
        shipped = (ROOT / "deploy/nginx.conf").read_text("utf-8")
        for there, here in (
            ("\tlisten [::]:80;\n", ""),
            ("\tlisten [::]:443 ssl http2;\n", ""),
            ("listen 80;", f"listen 127.0.0.1:{self.plain_port};"),
            ("listen 443 ", f"listen 127.0.0.1:{self.port} "),
            ("/var/log/nginx/", ""),
            (f"/etc/letsencrypt/live/{HOST}/", ""),
            ("127.0.0.1:8000", f"127.0.0.1:{pages}"),
            ("127.0.0.1:8001", f"127.0.0.1:{feed}"),
        ):
            assert there in shipped
            shipped = shipped.replace(there, here)
        kept = "".join(
            f"{what}_temp_path {what};\n"
            for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        return (
            f"daemon off; pid nginx.pid; user {getpass.getuser()};\n"
            f"events {{ }}\nhttp {{ access_log off; {kept} {shipped} }}\n"
        )

    def log(self) -> str:
        """Return its access log and its error log."""
        return "".join(path.read_text("utf-8") for path in sorted(self._folder.glob("*.log")))

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> HTTPResponse:
        """Send a request over TLS, and return the response. The certificate is self-signed."""
        trust = ssl.create_default_context(cafile=str(self._folder / "fullchain.pem"))
        line = _LocalConnection(self.port, trust)
        line.request(method, path, body=body, headers=headers or {})
        return line.getresponse()


class _LocalConnection(HTTPSConnection):
    """A connection to this machine that uses the host name of the site."""

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        super().__init__(HOST, port, timeout=PATIENCE)
        self._trusted = context

    def connect(self) -> None:
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout)
        self.sock = self._trusted.wrap_socket(plain, server_hostname=HOST)
