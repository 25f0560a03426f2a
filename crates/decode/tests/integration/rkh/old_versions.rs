//! An RKH 2.2 stream, whose ids are not in groups.

use super::streams;
use rtoscope_decode::rkh::configuration::parse;
use rtoscope_decode::rkh::{ProblemKind, RkhOptions, decode};
use rtoscope_wire::rkh::Dialect;

#[test]
fn records_without_groups_are_read() {
    let Some(known) = streams::find("old_rkh22") else {
        return;
    };
    let given = parse(known.beside("cfg").unwrap().as_bytes(), "old_rkh22.cfg").unwrap();
    let mut configuration = given.configuration;
    configuration.dialect = Dialect::Flat;
    let options = RkhOptions {
        configuration: Some(configuration),
        ..RkhOptions::default()
    };
    let recording = decode(&known.bytes(), &options).unwrap();
    let losses = &recording.stream_info.losses;
    assert_eq!(recording.trace.events.len(), 245);
    let bad = losses
        .problems
        .iter()
        .filter(|it| it.detail.kind() == ProblemKind::Checksum);
    assert_eq!(
        bad.map(|problem| problem.offset).collect::<Vec<_>>(),
        [733, 1855, 3085]
    );
    assert_eq!(losses.count(ProblemKind::Gap), 5);
    assert_eq!(losses.bad_frames(), 3);
}
