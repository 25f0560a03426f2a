"""The representative recordings, which slow tools read, have all kinds of contents."""

from conftest import OWN, report, representative, traces


def contents(trace):
    """What the report of a recording mentions, by its kind."""
    document = report(trace)
    health = document["health"]
    waits = {wait for thread in document["threads"] for wait in thread["states"]["waiting"]}
    return {
        ("format", trace.format),
        ("several cores", document["cores"] > 1),
        ("clock", document["clock_quality"]),
        ("gaps", bool(health.get("gaps"))),
        ("inversions", bool(document.get("inversions"))),
        ("nested interrupts", any(routine["nested"] for routine in document["isr"])),
        *(("event", row["component"], row["name"]) for row in document["services"]),
        *(("context", row["kind"]) for row in document["profile"]),
        *(("wait", wait) for wait in waits),
        *(("finding", row["category"]) for row in document["findings"]),
        *(("diagnostic", row["kind"]) for row in health["diagnostics"]),
    }


def test_representative_recordings_have_all_kinds_of_contents():
    own = [trace for trace in traces() if OWN in trace.path.parents]
    found = set().union(*map(contents, set(own) & set(representative())))
    missing = {trace.path.name: contents(trace) - found for trace in own}
    # What is missing makes a recording representative: it belongs into `REPRESENTATIVE`.
    assert {name: kinds for name, kinds in missing.items() if kinds} == {}
