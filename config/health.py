"""Old name of `python -m server.health`.

Health checks in older compose files still call it. It will be removed in 0.3.0.
"""

import runpy

if __name__ == "__main__":
    runpy.run_module("server.health", run_name="__main__")
