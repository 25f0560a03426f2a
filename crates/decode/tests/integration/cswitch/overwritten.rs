//! Whether entries before the first one were overwritten.

use super::builders;
use rtoscope_decode::DecodedRecording;
use rtoscope_decode::cswitch::{LogInfo, Overwritten};
use rtoscope_trace::DiagnosticKind;

fn of(file: &str) -> (Overwritten, Vec<DiagnosticKind>) {
    let bytes = rtoscope_fixtures::read_testdata(&format!("overwritten/{file}"));
    let DecodedRecording { trace, format_info } = builders::open_unknown(&bytes).unwrap();
    let info = format_info.get::<LogInfo>().unwrap();
    let kinds = trace.diagnostics.iter().map(|it| it.kind).collect();
    (info.cores[0].overwritten, kinds)
}

#[test]
fn a_ring_that_is_just_full_may_have_wrapped() {
    let (overwritten, kinds) = of("cycfull.cswl");
    assert_eq!(overwritten, Overwritten::Unknown);
    assert!(kinds.contains(&DiagnosticKind::PerhapsOverwritten));
    assert!(!kinds.contains(&DiagnosticKind::Overwritten));
}

#[test]
fn joined_containers_remember_what_the_first_had_lost() {
    for file in ["i1.cswl", "i5.cswl"] {
        let (overwritten, kinds) = of(file);
        assert_eq!(
            overwritten,
            Overwritten::Yes { entries: Some(24) },
            "{file}"
        );
        assert!(kinds.contains(&DiagnosticKind::Overwritten), "{file}");
    }
}
