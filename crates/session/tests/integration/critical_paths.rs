//! Critical paths equal those of the analysis.

use crate::test_case::cases;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::critical_path::{CriticalPathFinder, CriticalPathOptions};
use rtoscope_analysis::report::critical_path::critical_path;
use rtoscope_session::QueryError;
use rtoscope_trace::{EventIndex, Ticks};
use serde_json::{Value, json};

#[test]
fn every_path_is_that_of_the_analysis() {
    for case in cases() {
        let recording = AnalyzedRecording::new("", "", case.trace.clone(), &case.origin);
        let (schedule, active) = (&recording.schedule, &recording.active);
        let finder = CriticalPathFinder::new(&recording.trace, schedule, active);
        let events = u32::try_from(case.trace.events.len()).unwrap();
        for event in (0..events).step_by(1 + events as usize / 8) {
            for from in [None, Some(0), Some(1000)] {
                let options = CriticalPathOptions {
                    from: from.map(Ticks),
                    max_segments: 300,
                };
                let path = finder.path(EventIndex(event), options).unwrap();
                let expected = critical_path(&recording.view(), &path);
                // Parsing rounds shares alike.
                let expected = serde_json::to_string(&expected).unwrap();
                let expected: Value = serde_json::from_str(&expected).unwrap();
                let query = json!({
                    "query": "critical-path", "event": event, "from": from, "limit": 300,
                });
                assert_eq!(case.query(query), expected, "{} {event}", case.name);
            }
        }
        let query = |limit| json!({"query": "critical-path", "event": events, "limit": limit});
        assert_eq!(case.query(query(10)), Value::Null);
        for limit in [0, 10_001] {
            let error = case.try_query(query(limit)).unwrap_err();
            assert!(matches!(error, QueryError::OutOfRange { .. }));
        }
    }
}
