use super::{RkhOptions, write, write_with_truth};
use crate::GenerateError;

fn stream(options: &RkhOptions) -> Vec<u8> {
    let mut bytes = Vec::new();
    let summary = write(options, &mut bytes, &mut |_| ()).unwrap();
    assert_eq!(summary.bytes, bytes.len() as u64);
    bytes
}

/// A shorter recording ends earlier; the target behaves the same.
#[test]
fn a_shorter_stream_is_a_prefix_of_a_longer_one() {
    let long = stream(&RkhOptions::default());
    for records in [1, 2, 50, 999] {
        let short = stream(&RkhOptions {
            records,
            ..RkhOptions::default()
        });
        assert_eq!(long.get(..short.len()), Some(&*short));
    }
}

#[test]
fn everything_happens_occasionally() {
    for (pumps, load) in [(1, 20), (3, 20), (12, 40), (32, 80)] {
        let options = RkhOptions {
            pumps,
            load,
            ..RkhOptions::default()
        };
        let (_, truth) = write_with_truth(&options, &mut std::io::sink(), &mut |_| ()).unwrap();
        assert_eq!((truth.records, truth.lost, truth.gaps), (100_000, 0, 0));
        let rare = [
            "TMR STOP",
            "SM GRD_FALSE",
            "SM EVT_NFOUND",
            "SMA LIFO",
            "DRAINED",
        ];
        for name in rare {
            assert!(truth.kinds.contains_key(name), "{name} of {pumps} pumps");
        }
        // A single pump requests once and waits.
        let many = ["SMA DEFER", "SMA RCALL", "FWK GC"];
        assert!(pumps == 1 || many.iter().all(|name| truth.kinds.contains_key(*name)));
        assert!(!truth.kinds.contains_key("QUE FULL"));
        let busy: u64 = truth.objects.iter().map(|object| object.busy_ticks).sum();
        let percent = busy * 100 / truth.span_ticks;
        assert!(
            percent >= u64::from(load) * 3 / 4 && percent <= 95,
            "{percent}"
        );
        let span = truth.objects.iter().map(|object| {
            let states = object.states.iter();
            states.map(|state| state.ticks).sum::<u64>()
        });
        // Every machine is in a state from its start on.
        assert!(
            span.into_iter()
                .all(|ticks| ticks * 100 >= truth.span_ticks * 95)
        );
    }
}

#[test]
fn losses_leave_complete_records() {
    let options = RkhOptions {
        losses: true,
        ..RkhOptions::default()
    };
    let (summary, truth) = write_with_truth(&options, &mut std::io::sink(), &mut |_| ()).unwrap();
    assert!(
        truth.gaps > 5 && truth.lost > truth.gaps,
        "{} {}",
        truth.gaps,
        truth.lost
    );
    assert_eq!(summary.records, truth.kinds.values().sum::<u64>());
    assert_eq!(summary.records + truth.lost, options.records);
}

#[test]
fn impossible_options_are_rejected() {
    for (pumps, load, records) in [(0, 20, 1), (33, 20, 1), (3, 0, 1), (3, 81, 1), (3, 20, 0)] {
        let options = RkhOptions {
            pumps,
            load,
            records,
            ..RkhOptions::default()
        };
        let refused = write(&options, &mut std::io::sink(), &mut |_| ());
        assert!(matches!(refused, Err(GenerateError::OutOfRange { .. })));
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let mut full = [0; 1000];
    let failed = write(&RkhOptions::default(), &mut &mut full[..], &mut |_| ());
    assert!(matches!(failed, Err(GenerateError::Output { at: 0, .. })));
}
