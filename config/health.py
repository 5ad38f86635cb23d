"""`python -m config.health`: the previous name of `python -m server.health`.

Health checks in older compose files still call it. It goes with the next release.
"""

import runpy

if __name__ == "__main__":
    runpy.run_module("server.health", run_name="__main__")
