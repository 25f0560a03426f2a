//! Writing of complete recordings.

use super::firmware::{Firmware, ITEM};
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
    options: &CswitchOptions,
    output: &mut impl Write,
    progress: &mut dyn FnMut(u64),
) -> Result<CswitchSummary, GenerateError> {
    run(options, output, progress).map(|(summary, _)| summary)
}

/// Writes a log like [`write`](fn@write) and returns its ground truth.
///
/// The simulation runs once more for this, in constant memory.
pub fn write_with_truth(
    options: &CswitchOptions,
    output: &mut impl Write,
    progress: &mut dyn FnMut(u64),
) -> Result<(CswitchSummary, CswitchTruth), GenerateError> {
    let half = options.entries / 2;
    let (summary, kept) = run(options, output, &mut |done| progress(done / 2))?;
    let truth = truth(options, &kept, &mut |done| progress(half + done / 2));
    progress(options.entries);
    Ok((summary, truth))
}

fn run(
    options: &CswitchOptions,
    output: &mut impl Write,
    progress: &mut dyn FnMut(u64),
) -> Result<(CswitchSummary, Vec<KeptEntries>), GenerateError> {
    options.check()?;
    let passes = match (options.buffer, options.form) {
        (None, OutputForm::Container) => 1 + u64::from(options.cores),
        _ => 1,
    };
    let mut work = ProgressCounter {
        passes,
        done: 0,
        progress,
    };
    let output = ErrorTrackingOutput::new(output);
    let kept = match (options.form, options.buffer) {
        (OutputForm::Raw, None) => vec![raw_stream(options, &output, &mut work)],
        (OutputForm::Raw, Some(_)) => {
            let recorders = record(options, &mut work);
            let kept = kept_entries(&recorders, options);
            for recording in recorders.iter().filter_map(Recorder::stop) {
                write_raw(&recording, |bytes: &[u8]| output.write(bytes));
            }
            kept
        }
        (OutputForm::Container, buffer) => {
            let recorders = record(options, &mut work);
            let kept = kept_entries(&recorders, options);
            let mut container = begin(options, |bytes: &[u8]| output.write(bytes));
            for (recorder, kept) in recorders.iter().zip(&kept) {
                let number = kept.core.into();
                if buffer.is_some() {
                    container.write_core(number, &recorder.log, ReadableMemory::EMPTY);
                } else {
                    let mut go_on = |entries| {
                        work.advance(entries);
                        !output.has_failed()
                    };
                    let stream = CoreEntryStream::new(options, *kept, &mut go_on);
                    container.write_core(number, &stream, ReadableMemory::EMPTY);
                }
            }
            let _ = container.finish();
            kept
        }
    };
    let bytes = output.finish()?;
    (work.progress)(options.entries);
    let entries = kept.iter().map(|kept| kept.next - kept.first).sum();
    Ok((CswitchSummary { entries, bytes }, kept))
}

/// Slots of logs whose entries are not read.
const MIN_SLOTS: usize = 16;

/// Runs the target to its end.
fn record(options: &CswitchOptions, work: &mut ProgressCounter<'_>) -> Vec<Recorder> {
    let mut workload = CswitchWorkload::new(options);
    let recorders: Vec<_> = (0..options.cores).map(|_| Recorder::new(options)).collect();
    let mut end = 0;
    for number in 0..options.entries {
        let entry = workload.next_entry();
        if number == 0 {
            for recorder in &recorders {
                start(recorder, options, entry.time);
            }
        }
        if let Some(recorder) = recorders.get(usize::from(entry.core)) {
            recorder.record(&entry);
        }
        end = entry.time.max(end);
        if number.is_multiple_of(PROGRESS_EVENTS) && number > 0 {
            work.advance(PROGRESS_EVENTS);
        }
    }
    work.advance(options.entries % PROGRESS_EVENTS);
    for recorder in &recorders {
        recorder.set_clock(end);
    }
    recorders
}

fn start(recorder: &Recorder, options: &CswitchOptions, time: u64) {
    recorder.set_clock(time);
    match options.buffer {
        Some(buffer) if !buffer.cyclic => {
            recorder.start(slots(buffer.slots as usize), BufferMode::OneShot);
        }
        Some(buffer) => recorder.start(slots(buffer.slots as usize), BufferMode::Cyclic),
        None => recorder.start(slots(MIN_SLOTS), BufferMode::Cyclic),
    }
}

/// The entries kept of finished recordings: all entries, if they are read out
/// during the run.
fn kept_entries(recorders: &[Recorder], options: &CswitchOptions) -> Vec<KeptEntries> {
    let all = recorders.iter().zip(0..);
    let kept = |(recorder, core): (&Recorder, u8)| {
        let snapshot = recorder.log.snapshot();
        snapshot.map_or_else(
            || KeptEntries::none(core),
            |snapshot| KeptEntries {
                core,
                first: options.buffer.map_or(0, |_| snapshot.first_entry),
                next: snapshot.next_entry,
                lost: snapshot.lost,
                idle: snapshot.idle_ticks,
            },
        )
    };
    all.map(kept).collect()
}

/// Starts a container with what the entries refer to.
fn begin<S: ByteSink>(options: &CswitchOptions, sink: S) -> CswlWriter<S> {
    let bits = options.counter_bits;
    let mut container = CswlWriter::new(sink, FREQUENCY, bits, options.cores.into());
    let Firmware {
        isr,
        threads,
        markers,
        functions,
        ..
    } = CswitchWorkload::new(options).firmware;
    let (own, of_items) = markers.split_at(ITEM.min(markers.len()));
    let own = own.iter().filter(|_| options.markers);
    let marked = own.chain(of_items);
    for text in std::iter::once(&isr).chain(&threads).chain(marked) {
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
    options: &CswitchOptions,
    output: &ErrorTrackingOutput<'_, O>,
    work: &mut ProgressCounter<'_>,
) -> KeptEntries {
    let mut workload = CswitchWorkload::new(options);
    let recorder = Recorder::new(options);
    let mut memory = Some(slots(RAW_SLOTS as usize));
    let mut left = options.entries;
    while left > 0 && !output.has_failed() {
        if let Some(memory) = memory.take() {
            recorder.start(memory, BufferMode::OneShot);
        }
        let now = left.min(RAW_SLOTS);
        for _ in 0..now {
            recorder.record(&workload.next_entry());
        }
        left -= now;
        if let Some(recording) = recorder.stop() {
            write_raw(&recording, |bytes: &[u8]| output.write(bytes));
            memory = Some(recording.into_buffer());
        }
        work.advance(now);
    }
    KeptEntries {
        next: options.entries,
        ..KeptEntries::none(0)
    }
}

/// The ground truth of a recording with these kept entries.
fn truth(
    options: &CswitchOptions,
    kept: &[KeptEntries],
    progress: &mut dyn FnMut(u64),
) -> CswitchTruth {
    let mut workload = CswitchWorkload::new(options);
    let mut builder = CswitchTruthBuilder::new(kept, &workload.firmware);
    for number in 0..options.entries {
        builder.add_entry(&workload.next_entry());
        if number.is_multiple_of(PROGRESS_EVENTS) {
            progress(number);
        }
    }
    builder.finish()
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
