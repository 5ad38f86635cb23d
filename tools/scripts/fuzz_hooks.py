"""Hooks of schemathesis: paths that fit the schema get the keys of existing rows.

schemathesis loads this module itself. PINS names a file that `tools.scripts.fuzz` has written, with
the values of the parameters of each path. Paths that do not fit the schema, and links from earlier
responses, are not changed.
"""

import json
import os
from pathlib import Path
from typing import Any

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

PINS: dict[str, dict[str, object]] = json.loads(Path(os.environ["PINS"]).read_text())


@schemathesis.hook
def before_call(context: object, case: Any, **kwargs: object) -> None:
    """Put values of existing rows into an address that fits the schema."""
    known, meta = PINS.get(case.operation.path), case.meta
    if known is None or meta is None or meta.phase.name is TestPhase.STATEFUL:
        return
    if not meta.is_negative_at(ParameterLocation.PATH):
        case.path_parameters = {**case.path_parameters, **known}
