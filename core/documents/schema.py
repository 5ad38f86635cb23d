"""Document formats as pydantic models, which give a parser, error locations and a JSON schema.

A model may accept errors that the game's referee can explain better than a parser, such as a seat
that does not exist. Restrictions that only the JSON schema contains are in the field's
`json_schema_extra`.

Import this module, and modules with formats, inside the functions that need them: this saves 0.2
seconds and 13 MB in processes that read no document.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationError,
    WrapValidator,
)
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

Schema = dict[str, Any]
# Maximum number of errors that are reported. A document of 250 kB may have a hundred thousand.
MAX_ERRORS: Final = 100


@dataclass(frozen=True)
class Items:
    """Annotation for a list of at most `most` items, which is read as a tuple.

    The length is checked first, so a list that is too long gives one error, whatever it contains.
    With `silent`, the JSON schema does not mention the limit.
    """

    most: int
    silent: bool = False

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._listed, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> Schema:
        return handler(schema) | ({} if self.silent else {"maxItems": self.most})

    def _listed(self, value: object) -> tuple[object, ...]:
        if not isinstance(value, list) or len(value) > self.most:
            raise PydanticCustomError("items", "not a list of at most {most}", {"most": self.most})
        return tuple(value)


def between(low: int, high: int) -> AfterValidator:
    """Return a validator that replaces a number outside these bounds by the nearest bound."""
    return AfterValidator(lambda number: max(low, min(high, number)))


def first(characters: int) -> AfterValidator:
    """Return a validator that cuts a text to its first characters.

    A cut text ends in an ellipsis, so that it is not mistaken for another text.
    """
    return AfterValidator(
        lambda text: text if len(text) <= characters else f"{text[: characters - 1]}…"
    )


def _at_once(value: object, parse: Callable[[Any], object]) -> Any:
    try:
        return parse(value)
    except ValidationError:
        raise PydanticCustomError("unreadable", "cannot be read") from None


# Annotation for a value of a document that gives a single error message, however many errors its
# content has.
AT_ONCE: Final = WrapValidator(_at_once)
# Annotation for an optional member that may also be null, not only be left out. The JSON schema
# then says so.
OR_NULL: Final = AfterValidator(lambda value: value)


class Document(BaseModel):
    """Base class of all document formats. Types are strict: `true` and `"7"` are not numbers."""

    model_config = ConfigDict(strict=True, frozen=True)


def error_paths(error: ValidationError) -> list[str]:
    """Return the paths of up to `MAX_ERRORS` errors, such as `hands/0/held/1`.

    The path of an error in the document as a whole is empty.
    """
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    return ["/".join(map(str, item["loc"])) for item in errors[:MAX_ERRORS]]


def json_schema(title: str, *formats: type[Document]) -> Schema:
    """Return the JSON schema of documents in one of these formats.

    The schema contains no references: within a larger document, such as the API's schema, they
    could not be resolved.
    """
    schemas = [_standalone(model) for model in formats]
    schema = schemas[0] if len(schemas) == 1 else {"oneOf": schemas}
    return {"$schema": GenerateJsonSchema.schema_dialect, **schema, "title": title}


def _standalone(model: type[Document]) -> Schema:
    generated = model.model_json_schema(schema_generator=_Generator)
    parts = generated.pop("$defs", {})
    schema: Schema = _inlined(generated, parts)
    return schema


class _Generator(GenerateJsonSchema):
    """JSON schema generator that omits member titles and default values.

    It also omits null for optional members without `OR_NULL`.
    """

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> Schema:
        inner: CoreSchema = schema["schema"]
        if inner["type"] == "nullable":
            inner = inner["schema"]
        return self.generate_inner(inner)

    def field_title_should_be_set(self, schema: object) -> bool:
        return False


def _inlined(part: Any, parts: Schema) -> Any:
    if isinstance(part, list):
        return [_inlined(item, parts) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        part = parts[name] | {key: item for key, item in part.items() if key != "$ref"}
    return {key: _inlined(item, parts) for key, item in part.items()}
