//! Results as JUnit XML: a suite for each recording. What is undecided is an error, so that no
//! build server takes it for passed.

use super::details;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use rtoscope_analysis::check::{
    CheckDocument, CheckResult, CheckTotals, CheckedRecording, RuleOutcome,
};
use std::io;

pub(super) fn render(document: &CheckDocument) -> anyhow::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let counts_of_all = counts(document.totals);
    let suites = writer
        .create_element("testsuites")
        .with_attribute(("name", "rtoscope check"))
        .with_attributes(attributes(&counts_of_all));
    suites.write_inner_content(|writer| {
        let mut recordings = document.recordings.iter();
        recordings.try_for_each(|recording| write_suite(writer, recording))
    })?;
    Ok(String::from_utf8(writer.into_inner())? + "\n")
}

/// The numbers of tests by outcome, as attributes.
fn counts(totals: CheckTotals) -> [(&'static str, String); 3] {
    let tests = totals.passed + totals.failed + totals.undecided;
    [
        ("tests", tests.to_string()),
        ("failures", totals.failed.to_string()),
        ("errors", totals.undecided.to_string()),
    ]
}

fn attributes<'c>(counts: &'c [(&'c str, String); 3]) -> impl Iterator<Item = (&'c str, &'c str)> {
    counts.iter().map(|(name, count)| (*name, &**count))
}

fn write_suite(writer: &mut Writer<Vec<u8>>, recording: &CheckedRecording) -> io::Result<()> {
    let counts = counts(CheckTotals::of(&recording.results));
    let suite = writer
        .create_element("testsuite")
        .with_attribute(("name", &*recording.source))
        .with_attributes(attributes(&counts));
    suite.write_inner_content(|writer| {
        let mut results = recording.results.iter();
        results.try_for_each(|result| write_case(writer, &recording.source, result))
    })?;
    Ok(())
}

fn write_case(writer: &mut Writer<Vec<u8>>, source: &str, result: &CheckResult) -> io::Result<()> {
    let case = writer
        .create_element("testcase")
        .with_attributes([("classname", source), ("name", &*result.name)]);
    let problem = match result.outcome {
        RuleOutcome::Passed => {
            case.write_empty()?;
            return Ok(());
        }
        RuleOutcome::Failed => "failure",
        RuleOutcome::Undecided => "error",
    };
    case.write_inner_content(|writer| {
        let problem = writer.create_element(problem).with_attributes([
            ("message", &*result.message),
            ("type", result.outcome.name()),
        ]);
        problem.write_text_content(BytesText::new(&details(result)))?;
        Ok(())
    })?;
    Ok(())
}
