//! A recorder of RKH streams under any load: every record arrives complete and in order
//! or is counted as lost, and the decoder sees each gap.

use observed::{ObservedRecorder, RecordLength, RecorderStep};
use rtoscope_record::rkh::StreamSetup;
use setups::{
    Bare, Base, Flight, FlightBare, FlightUnnumbered, Narrow, UncoveredShort, Unnumbered, Wide,
    WidestIds,
};

#[path = "../../../crates/record/tests/integration/rkh/observed.rs"]
mod observed;
#[path = "../../../crates/record/tests/integration/rkh/record.rs"]
mod record;
#[allow(dead_code)]
#[path = "../../../crates/record/tests/integration/rkh/setups.rs"]
mod setups;

pub(crate) fn run(data: &[u8]) {
    let Some(([setup, bytes], steps)) = data.split_first_chunk() else {
        return;
    };
    let bytes = 64 + usize::from(*bytes);
    match setup % 10 {
        0 => observe::<Base>(bytes, steps),
        1 => observe::<Wide>(bytes, steps),
        2 => observe::<Narrow>(bytes, steps),
        3 => observe::<Unnumbered>(bytes, steps),
        4 => observe::<Bare>(bytes, steps),
        5 => observe::<Flight>(bytes, steps),
        6 => observe::<FlightUnnumbered>(bytes, steps),
        7 => observe::<FlightBare>(bytes, steps),
        8 => observe::<WidestIds>(bytes, steps),
        _ => observe::<UncoveredShort>(bytes, steps),
    }
}

fn observe<S: StreamSetup>(bytes: usize, steps: &[u8]) {
    let mut observed = ObservedRecorder::<S>::new(bytes);
    for [what, length] in steps.as_chunks().0 {
        let length = usize::from(*length);
        observed.step(match what % 8 {
            0..3 => RecorderStep::Record(RecordLength::Plain, length),
            3 => RecorderStep::Record(RecordLength::Escaped, length),
            4 => RecorderStep::Record(RecordLength::Named, length),
            5 => RecorderStep::Record(RecordLength::User, length),
            _ => RecorderStep::Take(length),
        });
    }
    observed.finish();
}
