"""`python -m config.health`: the previous name of `python -m server.health`.

Health checks in older compose files still call it. To be removed in 0.3.0.
"""

import runpy

if __name__ == "__main__":
    runpy.run_module("server.health", run_name="__main__")
