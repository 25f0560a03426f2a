//! Reports have the same titles in all front ends.

use crate::common::TestFolder;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use tempfile::TempDir;

const HERE: TestFolder = TestFolder("threadx");

/// The titles of reports in the generated types of the viewer.
fn viewer_titles() -> BTreeSet<String> {
    let path = rtoscope_fixtures::repository_path("web/src/session/reports.ts");
    let types = fs::read_to_string(path).unwrap();
    let (_, reports) = types.split_once("export const REPORTS = ").unwrap();
    let (reports, _) = reports.split_once(" as const").unwrap();
    let reports: Vec<Value> = serde_json::from_str(reports).unwrap();
    let title = |report: &Value| report["title"].as_str().unwrap().to_owned();
    reports.iter().map(title).collect()
}

#[test]
fn titles_are_the_same_in_text_html_and_viewer() {
    let viewer = viewer_titles();
    let output = TempDir::new().unwrap();
    let page = output.path().join("report.html");
    for name in ["threadx/cm3_system.trx", "rkh/ahsm_all.bin"] {
        let file = rtoscope_fixtures::testdata(name);
        let file = file.to_str().unwrap();
        let text = HERE.stdout(&["report", file, "all"]);
        let lines: Vec<_> = text.lines().collect();
        let sections = lines.windows(3).filter_map(|lines| match lines {
            ["", title, body] if body.starts_with("  ") => Some((*title).to_owned()),
            _ => None,
        });
        let sections: BTreeSet<_> = sections.filter(|line| !line.starts_with(' ')).collect();
        HERE.run(&[
            "export",
            file,
            "--to",
            "html",
            "--output",
            page.to_str().unwrap(),
        ]);
        let html = fs::read_to_string(&page).unwrap();
        let headings = html.split("<h2>").skip(1);
        let headings = headings.map(|rest| rest.split("</h2>").next().unwrap().to_owned());
        let headings: BTreeSet<_> = headings.collect();
        assert!(sections.len() > 5 && headings.len() > 5, "{name}");
        for title in sections.union(&headings) {
            assert!(viewer.contains(title), "{name}: {title}");
        }
        let only_in_html: Vec<_> = headings.difference(&sections).collect();
        assert_eq!(only_in_html, ["Findings"], "{name}: {sections:?}");
    }
}
