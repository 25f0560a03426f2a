"""junitparser and sarif-pydantic read the results of `check`."""

from conftest import OWN, run
from junitparser import Error, Failure, JUnitXml
from sarif_pydantic import Sarif

RULES = """
[[rule]]
table = "inversions"
max-rows = 0

[[rule]]
table = "isr"
column = "activations"
min = 1

[[rule]]
table = "profile"
row = "missing"
column = "percent"
max = 50
"""


def _results(tmp_path, form):
    rules = tmp_path / "rules.toml"
    rules.write_text(RULES)
    trace = OWN / "threadx" / "cm3_system.trx"
    return run("check", trace, "--rules", rules, "--format", form, expect=1)


def test_junit(tmp_path):
    suites = JUnitXml.fromstring(_results(tmp_path, "junit"))
    (suite,) = suites
    assert (suite.tests, suite.failures, suite.errors) == (3, 1, 1)
    failed, passed, undecided = suite
    assert [type(result) for result in failed.result] == [Failure]
    assert "[event 1357]" in failed.result[0].text
    assert passed.is_passed
    assert [type(result) for result in undecided.result] == [Error]


def test_sarif(tmp_path):
    log = Sarif.model_validate_json(_results(tmp_path, "sarif"))
    (run_of_rules,) = log.runs
    kinds = [result.kind for result in run_of_rules.results]
    assert [getattr(kind, "value", kind) for kind in kinds] == ["fail", "pass", "open"]
    rules = {rule.id for rule in run_of_rules.tool.driver.rules}
    assert {result.rule_id for result in run_of_rules.results} == rules
