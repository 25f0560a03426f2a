//! Pathological recordings: names full of syntax, no events, huge times.

pub(crate) use crate::common::recording;
use crate::common::{AnalyzedRecording, analyze};
use rtoscope_decode::DecodedRecording;
use rtoscope_trace::{EventIndex, Events, Frequency, Gap, Name, Objects};

/// A hostile name.
pub(crate) const NAME: &[u8] = b"</script><b a='\"&amp;\\\0\n\r\x1b[31m]}\xff\xfe\xf0\x9f\x92\xa5";

/// The recording with this name for all objects.
pub(crate) fn renamed(name: &str, to: &[u8]) -> DecodedRecording {
    let mut recording = recording(name);
    let mut objects: Vec<_> = recording.trace.objects.iter().cloned().collect();
    for object in &mut objects {
        object.name = Name::new(to);
    }
    recording.trace.objects = Objects::new(objects);
    recording
}

fn empty(name: &str) -> DecodedRecording {
    let mut recording = recording(name);
    recording.trace.events = Events::default();
    recording.trace.gaps.clear();
    recording
}

/// The recording with the last event at the maximum time.
fn endless(name: &str, frequency: u64) -> DecodedRecording {
    let mut recording = recording(name);
    recording.trace.events.edit(|columns| {
        let half = columns.time.len() / 2;
        columns.time[half..].fill(u64::MAX);
    });
    let frequency = Frequency::from_hertz(frequency);
    recording.trace.clock.set_frequency(frequency);
    recording
}

/// Two cores that lack events at the same time: core 0 from event 4 to 10, core 1
/// from event 9 to 15. Between events 19 and 20 some of any core are missing.
pub(crate) fn parted() -> DecodedRecording {
    let mut recording = recording("threadx/cm3_short.trx");
    let trace = &mut recording.trace;
    let cores = (0..trace.events.len()).map(|event| u8::from(event / 5 % 2 == 1));
    let cores = cores.collect();
    trace.events.edit(|columns| columns.core = cores);
    trace.cores = vec![0, 1];
    let gap = |before, core| Gap {
        next_event: EventIndex(before),
        missing: Some(3),
        core,
        is_restart: false,
    };
    trace.gaps = vec![gap(10, Some(0)), gap(15, Some(1)), gap(20, None)];
    recording
}

/// All of them.
pub(crate) fn all() -> Vec<AnalyzedRecording> {
    let files = ["threadx/cm3_system.trx", "rkh/nat_short.bin"];
    let mut all = vec![analyze("parted", parted())];
    for file in files {
        let name = String::from_utf8_lossy(NAME);
        all.push(analyze(&name, renamed(file, NAME)));
        all.push(analyze("", renamed(file, b"")));
        all.push(analyze("empty", empty(file)));
        for frequency in [0, 1, u64::MAX] {
            all.push(analyze("endless", endless(file, frequency)));
        }
    }
    all
}
