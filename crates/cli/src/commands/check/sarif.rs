//! Results as SARIF 2.1.0.

use super::details;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use rtoscope_analysis::check::{CheckDocument, CheckResult, RuleOutcome};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What a path must not contain in a URI.
const IN_PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b']')
    .add(b'`')
    .add(b'{')
    .add(b'}');

pub(super) fn log(document: &CheckDocument) -> Value {
    let results = document.recordings.iter().flat_map(|recording| {
        let results = recording.results.iter();
        results.map(|it| (recording.source.as_str(), it))
    });
    let names: BTreeSet<_> = results.clone().map(|(_, result)| &*result.name).collect();
    let rules: Vec<_> = names
        .iter()
        .map(|name| json!({ "id": name, "shortDescription": { "text": name } }))
        .collect();
    let results: Vec<_> = results.map(|(source, it)| result(source, it)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "rtoscope",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "results": results,
        }],
    })
}

fn result(source: &str, result: &CheckResult) -> Value {
    let (kind, level) = match result.outcome {
        RuleOutcome::Passed => ("pass", "none"),
        RuleOutcome::Failed => ("fail", "error"),
        RuleOutcome::Undecided => ("open", "none"),
    };
    let path = source.replace('\\', "/");
    json!({
        "ruleId": result.name,
        "kind": kind,
        "level": level,
        "message": { "text": details(result) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": utf8_percent_encode(&path, IN_PATH).to_string() },
            // The recording as a whole: it has no lines, which readers expect.
            "region": { "startLine": 1 },
        }}],
    })
}
