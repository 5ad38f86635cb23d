"""What schemathesis does before it asks: good addresses name rows that are there.

Loaded by schemathesis itself. PINS names a file that `tools.scripts.fuzz` has written: for each
address the values of its parts. What chance wrote wrongly stays wrong, and what one answer led to
is followed.
"""

import json
import os
from pathlib import Path
from typing import Any

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

PINS: dict[str, dict[str, Any]] = json.loads(Path(os.environ["PINS"]).read_text())


@schemathesis.hook
def before_call(context: Any, case: Any, **kwargs: Any) -> None:
    """Put values of existing rows into an address that fits the schema."""
    known, meta = PINS.get(case.operation.path), case.meta
    if known is None or meta is None or meta.phase.name is TestPhase.STATEFUL:
        return
    if not meta.is_negative_at(ParameterLocation.PATH):
        case.path_parameters = {**case.path_parameters, **known}
