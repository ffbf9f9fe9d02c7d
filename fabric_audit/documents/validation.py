"""From pydantic's errors to faults: the place in the file, what is wrong there, what would be right.

Schemas derive from :class:`Section`. A field's description completes "write …", so that each fault can say
what would be right without a second table. Validators of fields raise :func:`wrong`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, ValidationInfo
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticCustomError

from fabric_audit.documents.nodes import Document, Location
from fabric_audit.errors import Fault

_LONGEST_QUOTE = 60
_WORDS = {
    "model_type": "must be keys and values",
    "dict_type": "must be keys and values",
    "list_type": "must be a list",
    "too_short": "must not be empty",
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
}


class Section(BaseModel):
    """A mapping of a file: keys that are not listed are faults, and nothing is converted in silence."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


def wrong(problem: str, remedy: str) -> PydanticCustomError:
    """What a validator raises: both halves of a fault."""
    return PydanticCustomError("fault", "{problem}", {"problem": problem, "remedy": remedy})


def _text(value: object, info: ValidationInfo) -> object:
    if not isinstance(value, str):
        return value
    if not value.strip():
        raise wrong(f"{info.field_name}: nothing stands here", "fill it in, or leave the key out")
    if not value.isprintable():
        raise wrong(f"{info.field_name}: {shown(value)} holds a control character", "take it out")
    return value


Text = Annotated[str, BeforeValidator(_text)]
"""Printable text that is not empty."""


def shown(value: object) -> str:
    """A value as messages quote it."""
    words = repr(value)
    return words if len(words) <= _LONGEST_QUOTE else f"{words[:_LONGEST_QUOTE]}…"


def meant(word: str, known: Iterable[str]) -> str:
    """``did you mean NEAREST?``, or what there is to choose from."""
    choices = sorted(set(known))
    if near := get_close_matches(word, choices, n=1, cutoff=0.6):
        return f"did you mean {near[0]!r}?"
    return f"known here: {', '.join(choices)}"


def faults_of(
    document: Document, schema: type[BaseModel], value: object, *, context: Mapping[str, object] | None = None
) -> Iterator[Fault]:
    """Every way in which a document's value is not what the schema says."""
    try:
        schema.model_validate(value, context=dict(context or {}))
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            yield _fault(document, schema, detail)


def _fault(document: Document, schema: type[BaseModel], detail: ErrorDetails) -> Fault:
    location, kind, context = detail["loc"], detail["type"], detail.get("ctx", {})
    key = str(location[-1]) if location else ""
    if kind == "fault":
        return document.fault(location, str(context["problem"]), str(context["remedy"]))
    if kind == "extra_forbidden":
        section = _section(_walk(schema, location[:-1])[0])
        known = section.model_fields if section else ()
        return document.fault(location, f"unknown key {shown(key)}", meant(key, known), key=True)
    field = _walk(schema, location)[1]
    expected = f"write {field.description}" if field and field.description else "see the manual of this file"
    if kind == "missing":
        return document.fault(location[:-1], f"{key!r} is missing", expected)
    name = next((step for step in reversed(location) if isinstance(step, str)), "this file")
    if kind == "literal_error":
        choices = re.findall(r"'([^']+)'", str(context["expected"]))
        return document.fault(
            location, f"{name}: {shown(detail['input'])} is not known", meant(str(detail["input"]), choices)
        )
    return document.fault(location, f"{name}: {_described(detail)}", expected)


def _described(detail: ErrorDetails) -> str:
    """What is wrong with a value, which is quoted where it is short enough to help."""
    message = _WORDS.get(detail["type"]) or detail["msg"].removeprefix("Input ")
    value = detail["input"]
    return message if isinstance(value, dict | list) else f"{shown(value)} {message}"


def _walk(annotation: Any, location: Location) -> tuple[Any, FieldInfo | None]:
    """The type that stands at a location, and the last field on the way there."""
    field: FieldInfo | None = None
    for step in location:
        section = _section(annotation)
        if section is not None and isinstance(step, str):
            field = section.model_fields.get(step)
            annotation = field.annotation if field else None
        else:
            annotation = _element(annotation)
    return annotation, field


def _section(annotation: Any) -> type[BaseModel] | None:
    """The section that an annotation is, be it optional or annotated."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in {list, dict}:
        return None
    return next((found for arg in get_args(annotation) if (found := _section(arg))), None)


def _element(annotation: Any) -> Any:
    """What a list, or a mapping whose keys are free, holds."""
    if get_origin(annotation) in {list, dict}:
        return get_args(annotation)[-1]
    return next((found for arg in get_args(annotation) if (found := _element(arg))), None)
