//! The rules of sound traces on all recordings of the test data: each failure is a fault
//! that the recording has.

use crate::common::decode;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::doctor::{RuleVerdict, TraceCheck};
use rtoscope_decode::DecodedRecording;

/// The recordings with faults, and the rules that they break.
const FAULTS: [(&str, &[&str]); 19] = [
    // A thread was created with an empty name.
    ("threadx/be32_ppc_names.trx", &["names-known"]),
    ("threadx/linux32_names.trx", &["names-known"]),
    ("threadx/linux32_namesize30.trx", &["names-known"]),
    // The counter was not started.
    ("threadx/cm3_dwt_zero.trx", &["clock-runs"]),
    // The target filters scheduler events.
    ("threadx/linux32_filter.trx", &["ready-recorded"]),
    // A ring of 50 events.
    ("threadx/linux32_filterbug.trx", &["recording-length"]),
    // The application's ISR 99 has no exit.
    ("threadx/linux32_isr.trx", &["isr-exit"]),
    ("threadx/linux32_regover.trx", &["registry-full"]),
    // A 16-bit counter, and sleeps of almost its period.
    ("threadx/linux32_slow16.trx", &["clock-wrap"]),
    // The clock is the nanosecond of the second: it restarts before its mask is full.
    ("threadx-services/abort_in_put.trx", &["clock-wrap"]),
    (
        "threadx-services/delayed_suspend.trx",
        &["clock-settings", "clock-wrap"],
    ),
    ("threadx-services/queue_flush.trx", &["clock-wrap"]),
    ("threadx-services/smp_relinquish.trx", &["clock-wrap"]),
    ("threadx-services/terminate_owner.trx", &["clock-wrap"]),
    // Damaged streams.
    (
        "rkh/dmg_dropflag.bin",
        &["entries-complete", "entries-valid"],
    ),
    ("rkh/dmg_flip.bin", &["entries-complete", "entries-valid"]),
    (
        "rkh-unusual/swapped_configuration.bin",
        &["entries-complete", "entries-valid"],
    ),
    // A program without a clock, of six events.
    ("firmware/formats/formats.trx", &["clock-runs"]),
    ("firmware/formats/formats.rkh", &["clock-runs"]),
];

fn check(bytes: &[u8]) -> Option<TraceCheck> {
    let DecodedRecording { trace, format_info } = decode(bytes, None)?;
    let recording = AnalyzedRecording::new("recording", "", trace, &format_info);
    let mut interpreter = format_info.interpreter(&recording.trace);
    Some(TraceCheck::new(&recording, &mut interpreter, &[]))
}

#[test]
fn recordings_break_rules_only_where_they_have_faults() {
    let folders = [
        "threadx",
        "threadx-services",
        "rkh",
        "rkh-unusual",
        "firmware",
        "firmware/formats",
    ];
    let mut names: Vec<_> = folders
        .iter()
        .flat_map(|folder| {
            let recordings = rtoscope_fixtures::recordings(folder).into_iter();
            let names = recordings.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
            names.map(move |name| format!("{folder}/{name}"))
        })
        .collect();
    names.push("firmware/blackbox/log.cswl".to_owned());
    let mut checked = 0;
    for name in &names {
        // A stream whose configuration is unknown cannot be decoded.
        let Some(check) = check(&rtoscope_fixtures::read_testdata(name)) else {
            continue;
        };
        checked += 1;
        let failed = check
            .rules
            .iter()
            .filter(|it| it.verdict == RuleVerdict::Failed);
        let failed: Vec<_> = failed.map(|it| it.rule.name()).collect();
        let faults = FAULTS.iter().find(|(faulty, _)| faulty == name);
        assert_eq!(failed, faults.map_or(&[][..], |(_, rules)| rules), "{name}");
    }
    assert!(checked >= 45, "{checked}");
}
