"""The HTML report, read by Python's HTML parser: every figure in it has a key in
the JSON of `rtoscope report`, and must equal the value there."""

import math
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import export, exported, report, representative, traces

VOID = {"meta", "br", "hr", "img", "input", "link"}
# Stands for characters that XML, and so the escaping of names, cannot contain.
REPLACED = "\ufffd"


class Page(HTMLParser):
    """The elements of a page; fails if they are not nested."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.tags = []
        self.attributes = []
        self.ids = []
        # Report, row, key, value or None, text.
        self.figures = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        self.attributes += attributes.items()
        if "id" in attributes:
            assert attributes["id"] not in self.ids
            self.ids.append(attributes["id"])
        if tag in VOID:
            return
        self.open.append((tag, attributes))
        if "data-key" in attributes:
            path = [self.innermost(name) for name in ("data-source", "data-report", "data-row")]
            self.figures.append([*path, attributes["data-key"], attributes.get("value"), ""])

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, (tag, self.open[-3:])
        self.open.pop()

    def handle_data(self, data):
        if self.open and "data-key" in self.open[-1][1]:
            self.figures[-1][-1] += data

    def innermost(self, name):
        """The attribute of the innermost element that has it."""
        return next((one[name] for _, one in reversed(self.open) if name in one), None)


def value(document, path, row, key):
    """The value at a key of the JSON: of a row of a report, or of the report itself."""
    steps = [*filter(None, (path or "").split(".")), *([row] if row is not None else [])]
    for step in [*steps, *key.split(".")]:
        document = document[int(step)] if isinstance(document, list) else document[step]
    return document


def compare(page, documents):
    for source, path, row, key, shown, text in page.figures:
        document = documents[int(source)]
        expected = value(document, path, row, key)
        where = (path, row, key)
        if isinstance(expected, bool):
            assert text == ("yes" if expected else "no"), where
        elif isinstance(expected, str):
            if (path, key) == (None, "source"):
                # A page for others names no folder.
                expected = Path(expected).name
            plain = "".join(letter if letter.isprintable() else REPLACED for letter in expected)
            assert text == plain, where
        elif isinstance(expected, list) and shown is not None:
            assert int(shown) == len(expected), where
        elif isinstance(expected, list):
            assert re.split(", | → ", text) == expected, where
        else:
            assert math.isclose(float(shown), expected, rel_tol=1e-15, abs_tol=0), where


def no_network(text, page):
    assert not {"script", "link", "iframe", "object", "embed", "img"} & set(page.tags)
    for name, target in page.attributes:
        if name in ("href", "src", "srcset", "action", "data", "xlink:href"):
            assert target.startswith("#") and target[1:] in page.ids, (name, target)
        assert not name.startswith("on"), name
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style and "@import" not in style


@pytest.mark.parametrize("trace", representative(), ids=str)
def test_every_figure_is_the_report_s(trace):
    text = exported(trace, "html").read_text()
    page = Page(text)
    no_network(text, page)
    document = report(trace)
    compare(page, [document])
    assert len(text) < 2_000_000

    # Findings, threads and services are all there.
    def rows(path):
        return {int(one[2]) for one in page.figures if one[1] == path}

    assert rows("findings") == set(range(len(document["findings"])))
    for path in ("profile", "services"):
        assert len(rows(path)) == min(len(document[path]), 100)
    # Every picture has a title; a table without a caption has that of its section.
    assert page.tags.count("caption") <= page.tags.count("table")
    assert page.tags.count("svg") == len(re.findall(r"<svg[^>]*><title>", text))


def test_several_recordings_share_a_page(tmp_path):
    several = traces("threadx")[:3]
    text = export(several, "html", tmp_path / "report.html").read_text()
    page = Page(text)
    no_network(text, page)
    compare(page, [report(trace) for trace in several])
    assert {one[0] for one in page.figures} == {"0", "1", "2"}
