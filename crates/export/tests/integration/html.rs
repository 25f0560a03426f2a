//! The HTML report is a well-formed page for every recording.

use crate::common::{self, AnalyzedRecording, analyze};
use crate::hostile;
use proptest::prelude::*;
use roxmltree::{Document as Page, Node};
use rtoscope_export::html;
use std::collections::BTreeSet;

const TRACES: [&str; 6] = [
    "threadx/cm3_system.trx",
    "threadx/linux32_inv_nondet.trx",
    "threadx/linux32_filex.trx",
    "threadx/linux32_regover.trx",
    "rkh/nat_short.bin",
    "rkh/dmg_flip.bin",
];

fn written(all: &[&AnalyzedRecording]) -> String {
    let (mut html, mut reported) = (Vec::new(), 0);
    html::write(all, &mut html, &mut |events| reported += events).unwrap();
    let events = all.iter().map(|opened| opened.trace.events.len() as u64);
    assert_eq!(reported, events.sum::<u64>());
    String::from_utf8(html).unwrap()
}

/// The page as XML: apart from its first line it is both.
fn xml(html: &str) -> String {
    let body = html.find("<body>").unwrap();
    html[body..].replace("</body></html>", "</body>")
}

#[test]
fn page_is_self_contained() {
    let all = TRACES.map(common::open);
    let html = written(&all.iter().collect::<Vec<_>>());
    let text = xml(&html);
    let page = Page::parse(&text).unwrap();
    let attributes = || page.descendants().flat_map(|node| node.attributes());
    let ids: Vec<_> = attributes().filter(|it| it.name() == "id").collect();
    let places: BTreeSet<_> = ids.iter().map(roxmltree::Attribute::value).collect();
    assert_eq!(ids.len(), places.len());
    for link in attributes().filter(|it| matches!(it.name(), "href" | "src")) {
        let place = link.value().strip_prefix('#').unwrap();
        assert!(places.contains(place), "{place}");
    }
    for word in ["http", "url(", "@import", "<script", "<link", "<img"] {
        assert!(!html.contains(word), "{word}");
    }
    for picture in page.descendants().filter(|node| node.has_tag_name("svg")) {
        let title = picture.first_element_child().unwrap();
        assert!(title.has_tag_name("title") && title.text().is_some());
    }
}

#[test]
fn hostile_recordings_give_valid_pages() {
    for opened in hostile::all() {
        let html = written(&[&opened]);
        let text = xml(&html);
        let page = Page::parse(&text).unwrap();
        assert!(page.descendants().all(|node| !node.has_tag_name("script")));
        assert!(!html.contains("NaN") && !html.contains("inf\""));
    }
    assert!(written(&[]).contains("<body>"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn any_name_is_escaped(name: Vec<u8>) {
        let opened = analyze("any", hostile::renamed("threadx/cm3_short.trx", &name));
        let trace = &opened.trace;
        let thread = trace.contexts.threads().next().unwrap();
        let html = written(&[&opened]);
        let text = xml(&html);
        let page = Page::parse(&text).unwrap();
        let shown = trace.context_name(thread.id);
        let found = page.descendants().any(|node| node.text() == Some(&shown));
        prop_assert!(found);
    }
}

#[test]
fn a_page_shows_what_ran_before_the_reset() {
    let opened = common::open("firmware/blackbox/log.cswl");
    let html = written(&[&opened]);
    let text = xml(&html);
    let page = Page::parse(&text).unwrap();
    let has_class = |node: &Node<'_, '_>, class| node.attribute("class") == Some(class);
    let lanes = page.descendants().find(|node| has_class(node, "last"));
    let names = lanes
        .unwrap()
        .children()
        .filter(|it| it.has_tag_name("span"));
    let names: Vec<_> = names.filter_map(|it| it.text()).collect();
    assert_eq!(names.first(), Some(&"culprit"), "{names:?}");
    assert!(names.contains(&"worker") && names.contains(&"(idle)"));
    let finding = page.descendants().find(|node| has_class(node, "critical"));
    let finding: String = finding
        .unwrap()
        .descendants()
        .filter_map(|it| it.text())
        .collect();
    assert!(
        finding.contains("ends with a fault: HardFault"),
        "{finding}"
    );
    assert!(finding.contains("culprit was running"), "{finding}");
    let other = written(&[&common::open("threadx/cm3_system.trx")]);
    assert!(!other.contains("class=\"last\""));
}
