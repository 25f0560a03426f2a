//! Writing of complete recordings.

use super::firmware::Firmware;
use super::stream::CoreEntryStream;
use super::target::{Recorder, name_at, slots};
use super::truth::CswitchTruthBuilder;
use super::workload::CswitchWorkload;
use super::{CswitchOptions, CswitchTruth, OutputForm};
use crate::GenerateError;
use crate::ring::PROGRESS_EVENTS;
use crate::writer::BlockWriter;
use rtoscope_record::cswitch::{BufferMode, ByteSink, CswlWriter, ReadableMemory, write_raw};
use std::cell::RefCell;
use std::io::Write;

/// The content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CswitchSummary {
    /// Entries of all cores.
    pub entries: u64,
    /// Size in bytes.
    pub bytes: u64,
}

/// The entries of a core that are kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeptEntries {
    pub(super) core: u8,
    /// Number of the first kept entry.
    pub(super) first: u64,
    /// Number after the last kept entry.
    pub(super) next: u64,
    pub(super) lost: u64,
    /// Idle time, as summed up by the recorder.
    pub(super) idle: u64,
}

impl KeptEntries {
    fn none(core: u8) -> Self {
        Self {
            core,
            first: 0,
            next: 0,
            lost: 0,
            idle: 0,
        }
    }
}

/// The simulated counter runs at 10 MHz: a timer period of 1 ms is 10 000
/// ticks.
const FREQUENCY: u64 = 10_000_000;
/// Entries per write of raw memory.
const RAW_SLOTS: u64 = 4096;

/// Simulates a kernel and writes its log to `output`.
///
/// Calls `progress` regularly with a number that grows to `options.entries` in
/// proportion to the work done. A container gives the number of entries before
/// the entries: without a buffer the simulation runs once to count them, and
/// then once per core.
pub fn write(
    settings: &CswitchOptions,
    output: &mut impl Write,
    progress: &mut dyn FnMut(u64),
) -> Result<CswitchSummary, GenerateError> {
    run(settings, output, progress).map(|(summary, _)| summary)
}

/// Writes a log like [`write`](fn@write) and returns its ground truth.
///
/// The simulation runs once more for this, in constant memory.
pub fn write_with_truth(
    settings: &CswitchOptions,
    output: &mut impl Write,
    progress: &mut dyn FnMut(u64),
) -> Result<(CswitchSummary, CswitchTruth), GenerateError> {
    let half = settings.entries / 2;
    let (summary, kept) = run(settings, output, &mut |done| progress(done / 2))?;
    let truth = truth(settings, &kept, &mut |done| progress(half + done / 2));
    progress(settings.entries);
    Ok((summary, truth))
}

fn run(
    settings: &CswitchOptions,
    output: &mut impl Write,
    progress: &mut dyn FnMut(u64),
) -> Result<(CswitchSummary, Vec<KeptEntries>), GenerateError> {
    settings.check()?;
    let courses = match (settings.buffer, settings.form) {
        (None, OutputForm::Container) => 1 + u64::from(settings.cores),
        _ => 1,
    };
    let mut work = ProgressCounter {
        passes: courses,
        done: 0,
        progress,
    };
    let output = ErrorTrackingOutput::new(output);
    let kept = match (settings.form, settings.buffer) {
        (OutputForm::Raw, None) => vec![raw_stream(settings, &output, &mut work)],
        (OutputForm::Raw, Some(_)) => {
            let recorders = record(settings, &mut work);
            let kept = kept_entries(&recorders, settings);
            for recording in recorders.iter().filter_map(Recorder::stop) {
                write_raw(&recording, |bytes: &[u8]| output.write(bytes));
            }
            kept
        }
        (OutputForm::Container, buffer) => {
            let recorders = record(settings, &mut work);
            let kept = kept_entries(&recorders, settings);
            let mut container = begin(settings, |bytes: &[u8]| output.write(bytes));
            for (recorder, kept) in recorders.iter().zip(&kept) {
                let number = kept.core.into();
                if buffer.is_some() {
                    container.write_core(number, &recorder.log, ReadableMemory::EMPTY);
                } else {
                    let mut go_on = |entries| {
                        work.advance(entries);
                        !output.has_failed()
                    };
                    let stream = CoreEntryStream::new(settings, *kept, &mut go_on);
                    container.write_core(number, &stream, ReadableMemory::EMPTY);
                }
            }
            let _ = container.finish();
            kept
        }
    };
    let bytes = output.finish()?;
    (work.progress)(settings.entries);
    let entries = kept.iter().map(|kept| kept.next - kept.first).sum();
    Ok((CswitchSummary { entries, bytes }, kept))
}

/// Slots of logs whose entries are not read.
const MIN_SLOTS: usize = 16;

/// Runs the target to its end.
fn record(settings: &CswitchOptions, work: &mut ProgressCounter<'_>) -> Vec<Recorder> {
    let mut course = CswitchWorkload::new(settings);
    let recorders: Vec<_> = (0..settings.cores)
        .map(|_| Recorder::new(settings))
        .collect();
    let mut end = 0;
    for number in 0..settings.entries {
        let step = course.next_entry();
        if number == 0 {
            for recorder in &recorders {
                start(recorder, settings, step.time);
            }
        }
        if let Some(recorder) = recorders.get(usize::from(step.core)) {
            recorder.record(&step);
        }
        end = step.time.max(end);
        if number.is_multiple_of(PROGRESS_EVENTS) && number > 0 {
            work.advance(PROGRESS_EVENTS);
        }
    }
    work.advance(settings.entries % PROGRESS_EVENTS);
    for recorder in &recorders {
        recorder.set_clock(end);
    }
    recorders
}

fn start(recorder: &Recorder, settings: &CswitchOptions, time: u64) {
    recorder.set_clock(time);
    match settings.buffer {
        Some(buffer) if !buffer.cyclic => {
            recorder.start(slots(buffer.slots as usize), BufferMode::OneShot);
        }
        Some(buffer) => recorder.start(slots(buffer.slots as usize), BufferMode::Cyclic),
        None => recorder.start(slots(MIN_SLOTS), BufferMode::Cyclic),
    }
}

/// The entries kept of finished recordings: all entries, if they are read out
/// during the run.
fn kept_entries(recorders: &[Recorder], settings: &CswitchOptions) -> Vec<KeptEntries> {
    let all = recorders.iter().zip(0..);
    let kept = |(recorder, core): (&Recorder, u8)| {
        let snapshot = recorder.log.snapshot();
        snapshot.map_or_else(
            || KeptEntries::none(core),
            |snapshot| KeptEntries {
                core,
                first: settings.buffer.map_or(0, |_| snapshot.first_entry),
                next: snapshot.next_entry,
                lost: snapshot.lost,
                idle: snapshot.idle_ticks,
            },
        )
    };
    all.map(kept).collect()
}

/// Starts a container with what the entries refer to.
fn begin<S: ByteSink>(settings: &CswitchOptions, sink: S) -> CswlWriter<S> {
    let bits = settings.counter_bits;
    let mut container = CswlWriter::new(sink, FREQUENCY, bits, settings.cores.into());
    let Firmware {
        isr,
        threads,
        functions,
        ..
    } = CswitchWorkload::new(settings).firmware;
    for text in std::iter::once(&isr).chain(&threads) {
        container.write_name(name_at(text.address), &text.text);
    }
    for function in functions {
        let (address, bytes) = (function.address as usize, function.bytes as usize);
        container.write_symbol(address, bytes, &function.name);
    }
    container
}

/// Writes the entries of the only core in blocks while it runs.
fn raw_stream<O: Write>(
    settings: &CswitchOptions,
    output: &ErrorTrackingOutput<'_, O>,
    work: &mut ProgressCounter<'_>,
) -> KeptEntries {
    let mut course = CswitchWorkload::new(settings);
    let recorder = Recorder::new(settings);
    let mut memory = Some(slots(RAW_SLOTS as usize));
    let mut left = settings.entries;
    while left > 0 && !output.has_failed() {
        if let Some(memory) = memory.take() {
            recorder.start(memory, BufferMode::OneShot);
        }
        let now = left.min(RAW_SLOTS);
        for _ in 0..now {
            recorder.record(&course.next_entry());
        }
        left -= now;
        if let Some(recording) = recorder.stop() {
            write_raw(&recording, |bytes: &[u8]| output.write(bytes));
            memory = Some(recording.into_buffer());
        }
        work.advance(now);
    }
    KeptEntries {
        next: settings.entries,
        ..KeptEntries::none(0)
    }
}

/// The ground truth of a recording with these kept entries.
fn truth(
    settings: &CswitchOptions,
    kept: &[KeptEntries],
    progress: &mut dyn FnMut(u64),
) -> CswitchTruth {
    let mut course = CswitchWorkload::new(settings);
    let mut account = CswitchTruthBuilder::new(kept, &course.firmware);
    for number in 0..settings.entries {
        account.add_entry(&course.next_entry());
        if number.is_multiple_of(PROGRESS_EVENTS) {
            progress(number);
        }
    }
    account.finish()
}

/// Reports progress over several passes.
struct ProgressCounter<'a> {
    passes: u64,
    /// Entries of all passes so far.
    done: u64,
    progress: &'a mut dyn FnMut(u64),
}

impl ProgressCounter<'_> {
    fn advance(&mut self, entries: u64) {
        self.done += entries;
        (self.progress)(self.done / self.passes);
    }
}

/// An output for the recorder's writers, which cannot fail: it keeps the error.
struct ErrorTrackingOutput<'a, O> {
    writer: RefCell<BlockWriter<'a, O>>,
    failed: RefCell<Option<GenerateError>>,
}

impl<'a, O: Write> ErrorTrackingOutput<'a, O> {
    fn new(output: &'a mut O) -> Self {
        Self {
            writer: RefCell::new(BlockWriter::new(output)),
            failed: RefCell::new(None),
        }
    }

    fn write(&self, bytes: &[u8]) {
        if !self.has_failed()
            && let Err(error) = self.writer.borrow_mut().append(bytes)
        {
            self.failed.replace(Some(error));
        }
    }

    fn has_failed(&self) -> bool {
        self.failed.borrow().is_some()
    }

    /// Returns the number of bytes.
    fn finish(self) -> Result<u64, GenerateError> {
        if let Some(error) = self.failed.into_inner() {
            return Err(error);
        }
        let mut writer = self.writer.into_inner();
        writer.finish()?;
        Ok(writer.position())
    }
}
