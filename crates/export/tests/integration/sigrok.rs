//! sigrok sessions, unpacked again.

use crate::common::{self, AnalyzedRecording, analyze};
use crate::hostile;
use flate2::read::DeflateDecoder;
use rtoscope_analysis::schedule::{CoreSlices, RunningContext};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, UnpackedInput};
use rtoscope_export::sigrok;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read};

/// The files of an archive, by its directory.
fn unpacked(archive: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let half = |at: usize| usize::from(u16::from_le_bytes(archive[at..at + 2].try_into().unwrap()));
    let word = |at: usize| u32::from_le_bytes(archive[at..at + 4].try_into().unwrap()) as usize;
    let end = archive.len() - 22;
    assert_eq!(&archive[end..end + 4], b"PK\x05\x06");
    let mut at = word(end + 16);
    assert_eq!(at + word(end + 12), end);
    let mut files = BTreeMap::new();
    for _ in 0..half(end + 10) {
        assert_eq!(&archive[at..at + 4], b"PK\x01\x02");
        let [crc, packed, size] = [16, 20, 24].map(|offset| word(at + offset));
        let name = &archive[at + 46..at + 46 + half(at + 28)];
        let local = word(at + 42);
        assert_eq!(&archive[local..local + 4], b"PK\x03\x04");
        assert_eq!(archive[local + 4..local + 30], archive[at + 6..at + 32]);
        let start = local + 30 + name.len();
        let mut content = Vec::new();
        let mut reader = DeflateDecoder::new(&archive[start..start + packed]);
        reader.read_to_end(&mut content).unwrap();
        let mut sum = flate2::Crc::new();
        sum.update(&content);
        assert_eq!((content.len(), sum.sum() as usize), (size, crc));
        let name = String::from_utf8(name.to_vec()).unwrap();
        assert!(files.insert(name, content).is_none());
        at += 46 + half(at + 28);
    }
    assert_eq!(at, end);
    files
}

struct Session {
    values: BTreeMap<String, String>,
    /// The names of the channels.
    lines: Vec<String>,
    unit: usize,
    samples: Vec<u8>,
    /// Equal samples that follow each other: the sample and their number.
    runs: Vec<(Vec<u8>, u64)>,
}

/// The runs of equal samples. Comparing slices is fast even without optimisation.
fn runs(samples: &[u8], unit: usize) -> Vec<(Vec<u8>, u64)> {
    let mut runs = Vec::new();
    let mut rest = samples;
    while !rest.is_empty() {
        let (mut count, mut more) = (1, 1);
        while more > 0 {
            let (next, end) = (count * unit, (count + more) * unit);
            // All are equal if each equals the one before.
            if end <= rest.len() && rest[next - unit..end - unit] == rest[next..end] {
                count += more;
                more *= 2;
            } else {
                more /= 2;
            }
        }
        let (run, after) = rest.split_at(count * unit);
        runs.push((run[..unit].to_vec(), count as u64));
        rest = after;
    }
    runs
}

impl Session {
    fn of(opened: &[&AnalyzedRecording]) -> io::Result<Self> {
        let mut output = Vec::new();
        let mut events = 0;
        sigrok::write(opened, &mut output, &mut |more| events += more)?;
        let all = opened.iter().map(|opened| opened.trace.events.len());
        assert_eq!(events, all.sum::<usize>() as u64);
        let files = unpacked(&output);
        assert_eq!(files["version"], b"2");
        let metadata = String::from_utf8(files["metadata"].clone()).unwrap();
        let pairs = metadata.lines().filter_map(|line| line.split_once('='));
        let pairs = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let values: BTreeMap<_, _> = pairs.collect();
        let count: usize = values["total probes"].parse().unwrap();
        let lines = (1..=count).map(|number| values[&format!("probe{number}")].clone());
        let lines: Vec<_> = lines.collect();
        let unit = values["unitsize"].parse().unwrap();
        let mut samples = Vec::new();
        for chunk in 1..=files.len() - 2 {
            let chunk = &files[&format!("logic-1-{chunk}")];
            assert_eq!(chunk.len() % unit, 0);
            samples.extend_from_slice(chunk);
        }
        assert_eq!(unit, count.div_ceil(8).max(1));
        Ok(Self {
            values,
            lines,
            unit,
            runs: runs(&samples, unit),
            samples,
        })
    }

    fn count(&self) -> u64 {
        (self.samples.len() / self.unit) as u64
    }

    /// The levels of a line, and for how many samples it has each.
    fn levels(&self, line: usize) -> impl Iterator<Item = (bool, u64)> + Clone {
        let runs = self.runs.iter();
        runs.map(move |(sample, count)| (sample[line / 8] >> (line % 8) & 1 == 1, *count))
    }

    fn high(&self, line: usize) -> u64 {
        let high = self.levels(line).filter(|(is_high, _)| *is_high);
        high.map(|(_, count)| count).sum()
    }

    fn pulses(&self, line: usize) -> u64 {
        let now = self.levels(line).map(|(is_high, _)| is_high);
        let before = [false].into_iter().chain(now.clone());
        let edges = before.zip(now);
        edges.filter(|(before, now)| !before && *now).count() as u64
    }
}

/// The CPU time in ticks, and the number of slices, of each thread.
fn executed(opened: &AnalyzedRecording) -> Vec<(u64, u64)> {
    let view = opened.view();
    let threads = view.trace.contexts.threads().map(|thread| {
        let slices = view.schedule.cores.iter().flat_map(CoreSlices::iter);
        let own = slices
            .filter(|(it, _)| it.running.running_context() == RunningContext::Thread(thread.id));
        let ticks = own.map(|(slice, end)| end.0 - slice.start.0);
        ticks.fold((0, 0), |(sum, count), each| (sum + each, count + 1))
    });
    threads.collect()
}

#[test]
fn short_pulses_take_one_sample() {
    let mut recording = hostile::recording("threadx/cm3_short.trx");
    recording.trace.events.edit(|columns| {
        // Odd, so that no coarser rate is lossless.
        columns.time.iter_mut().for_each(|time| *time *= 1_009);
    });
    let opened = analyze("long.trx", recording);
    let session = Session::of(&[&opened]).unwrap();
    let span = opened.schedule.span.0;
    assert!(session.samples.len() <= 1 << 26);
    assert!(session.count() < span);
    let rate = session.values["samplerate"].strip_suffix(" MHz").unwrap();
    let rate: u64 = rate.parse().unwrap();
    for (thread, (ticks, slices)) in executed(&opened).into_iter().enumerate().take(3) {
        let samples = ticks * rate / 1000;
        let high = session.high(thread + 1);
        assert!(high.abs_diff(samples) <= slices + 1, "{high} {samples}");
        assert_eq!(session.pulses(thread + 1) > 0, ticks > 0);
    }
    let view = opened.view();
    let routines = view.schedule.activations.iter().map(|it| it.number);
    for routine in routines.collect::<HashSet<_>>() {
        let name = view.schedule.isr_name(routine);
        let line = session.lines.iter().position(|line| *line == name);
        assert!(session.pulses(line.unwrap()) > 0);
    }
}

#[test]
fn lossless_coarser_rate_is_chosen() {
    let mut recording = hostile::recording("threadx/cm3_short.trx");
    recording.trace.events.edit(|columns| {
        columns.time.iter_mut().for_each(|time| *time *= 1_000_000);
    });
    let opened = analyze("long.trx", recording);
    let session = Session::of(&[&opened]).unwrap();
    // Ticks are nanoseconds, and a million of them is a sample.
    assert_eq!(session.values["samplerate"], "1 kHz");
    for (thread, (ticks, _)) in executed(&opened).into_iter().enumerate().take(3) {
        assert_eq!(session.high(thread + 1), ticks / 1_000_000);
    }
}

#[test]
fn channels_of_several_recordings_are_prefixed() {
    let [one, other] = ["threadx/cm3_short.trx", "rkh/nat_short.bin"].map(common::open);
    let session = Session::of(&[&one, &other]).unwrap();
    let distinct: HashSet<_> = session.lines.iter().collect();
    assert_eq!(distinct.len(), session.lines.len());
    for file in ["cm3_short.trx: sensor", "nat_short.bin: server"] {
        assert!(session.lines.iter().any(|line| line == file), "{file}");
    }
}

#[test]
fn empty_recording_gives_a_session() {
    let session = Session::of(&[]).unwrap();
    assert_eq!((session.lines.len(), session.count()), (0, 1));
}

#[test]
fn hostile_recordings_give_sessions_or_errors() {
    let mut too_long = 0;
    for opened in hostile::all() {
        match Session::of(&[&opened]) {
            Ok(session) => {
                let distinct: HashSet<_> = session.lines.iter().collect();
                assert_eq!(distinct.len(), session.lines.len());
                let names = session.lines.iter();
                assert!(
                    names
                        .flat_map(|name| name.chars())
                        .all(|it| !it.is_control())
                );
            }
            Err(error) => {
                assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
                too_long += 1;
            }
        }
    }
    assert!(too_long > 0);
}

#[test]
fn too_long_recording_error_suggests_a_remedy() {
    let open = |name: &str, slower: u64| {
        let mut recording = hostile::recording("threadx/cm3_short.trx");
        recording.trace.events.edit(|columns| {
            for time in &mut columns.time {
                *time = time.saturating_mul(slower);
            }
        });
        analyze(name, recording)
    };
    let opened = [open("short.trx", 1), open("long.trx", 1 << 40)];
    let error = sigrok::write(&opened.each_ref(), &mut Vec::new(), &mut |_| ()).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("long.trx is too long"), "{text}");
    for advice in ["VCD", "--clock"] {
        assert!(text.contains(advice), "{text}");
    }
}

/// Each edge of each channel: its name, the sample, and whether it rises.
type Edges = Vec<(String, u64, bool)>;

fn edges(session: &Session) -> Edges {
    let mut edges = Vec::new();
    let mut at = 0;
    let mut last: Option<&[u8]> = None;
    for (sample, count) in &session.runs {
        for (channel, name) in session.lines.iter().enumerate() {
            let bit = |sample: &[u8]| sample[channel / 8] >> (channel % 8) & 1;
            if last.is_some_and(|last| bit(last) != bit(sample)) {
                edges.push((name.clone(), at, bit(sample) == 1));
            }
        }
        at += count;
        last = Some(sample);
    }
    edges
}

#[test]
fn sessions_open_again() {
    for name in ["threadx/cm3_system.trx", "rkh/nat_short.bin"] {
        let source = common::open(name);
        let mut session = Vec::new();
        sigrok::write(&[&source], &mut session, &mut |_| {}).unwrap();
        let content = UnpackedInput::open(Input::new(session), BufferChoice::First, None).unwrap();
        assert_eq!(content.format().name(), "logic");
        let trace = content.decode(&DecodeOptions::default()).unwrap().trace;
        let expected = Session::of(&[&source]).unwrap();
        let found = trace.events.iter().filter_map(|event| {
            let kind = trace.catalogue.name(event.kind);
            let rises = kind == "rising edge";
            let signal = trace
                .objects
                .iter()
                .nth(event.arguments[0].checked_sub(1)? as usize)?;
            (rises || kind == "falling edge")
                .then(|| (signal.display_name(), event.timestamp, rises))
        });
        let found: Edges = found.collect();
        assert_eq!(found, edges(&expected), "{name}");
        assert!(found.len() > 100, "{name}");
        assert_eq!(trace.events.span().0, expected.count(), "{name}");
    }
}
