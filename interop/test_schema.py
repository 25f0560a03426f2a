"""jsonschema validates each document of the command against the schema that the command prints."""

import json
from functools import cache

import pytest
from conftest import OWN, run, traces
from jsonschema import Draft202012Validator

RULES = OWN / "rkh" / "nat_short.rules.toml"


def _closed(schema):
    """The schema without members that it does not name."""
    if isinstance(schema, list):
        return [_closed(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(inner) for key, inner in schema.items()}
    return {"additionalProperties": False, **closed} if "properties" in schema else closed


@cache
def _validator(document):
    schema = json.loads(run("schema", document))
    Draft202012Validator.check_schema(schema)
    closed = _closed(schema)
    return Draft202012Validator(closed)


def _check(document, text):
    _validator(document).validate(json.loads(text))


@pytest.mark.parametrize("trace", traces(), ids=str)
@pytest.mark.parametrize("document", ["info", "report", "critical-path"])
def test_documents_of_recordings(trace, document):
    event = ("--event", 5) if document == "critical-path" else ()
    _check(document, run(document, trace.path, *trace.arguments, "--format", "json", *event))


@pytest.mark.parametrize(
    ("document", "arguments", "code"),
    [
        ("catalogue", ("catalogue",), 0),
        ("registry-types", ("catalogue", "--objects"), 0),
        ("check", ("check", OWN / "rkh" / "dmg_flip.bin", "--rules", RULES), 3),
        ("check", ("check", OWN / "threadx" / "cm3_system.trx", "--fail-on", "critical"), 1),
        (
            "compare",
            ("compare", OWN / "threadx" / "cm3_system.trx", OWN / "threadx" / "cm3_short.trx"),
            0,
        ),
        ("doctor", ("doctor", OWN / "threadx" / "linux32_isr.trx"), 1),
    ],
)
def test_other_documents(document, arguments, code):
    _check(document, run(*arguments, "--format", "json", expect=code))


def test_a_document_with_another_member_is_refused():
    text = run("report", OWN / "threadx" / "cm3_short.trx", "--format", "json", "--clock", "25MHz")
    report = json.loads(text)
    report["locks"] = [{"name": 5}]
    assert not _validator("report").is_valid(report)
