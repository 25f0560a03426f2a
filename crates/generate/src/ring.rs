//! Complete buffers: header, registry and ring.

use crate::address_allocator::trace_base;
use crate::board::SimulatedSystem;
use crate::clock::Clock;
use crate::creation::{Creation, DIRTY, registry_slots, write_registry};
use crate::event::{Event, id};
use crate::simulation::Simulation;
use crate::writer::BlockWriter;
use crate::{GenerateError, ThreadXOptions};
use rtoscope_wire::Word;
use rtoscope_wire::threadx::{
    CONTEXT_UNUSED, ControlHeader, EventEntry, MARKERS, TXTB_ID, UlongSize,
};
use std::io::Write;

/// The content of a buffer, to compare a reader's findings with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadXSummary {
    /// Events in the buffer.
    pub events: u64,
    /// Size of the buffer in bytes.
    pub bytes: u64,
    /// Ticks of the time source from the first to the last event in the buffer.
    pub span_ticks: u64,
    /// The application's threads, in the order of their creation.
    pub threads: Vec<ThreadSummary>,
}

/// A thread in a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadSummary {
    /// The name before truncation to the registry's size.
    pub name: String,
    /// Address of the control block, which is its events' context.
    pub pointer: u64,
    /// Number of switches to it from another thread or from idle that are
    /// caused by an event in the buffer. Continuing after an interrupt does not
    /// count, nor does a thread that one handler makes ready and another
    /// preempts before the core leaves the interrupt.
    pub dispatches: u64,
}

/// Events between two reports of progress.
pub(crate) const PROGRESS_EVENTS: u64 = 65_536;

/// Simulates a kernel and writes its trace buffer to `output`.
///
/// Calls `progress` regularly with a number that grows to `options.events` in
/// proportion to the work done. A ring that has wrapped is simulated up to
/// twice, because its newest events come first in memory.
pub fn write(
    options: &ThreadXOptions,
    output: &mut impl Write,
    progress: &mut dyn FnMut(u64),
) -> Result<ThreadXSummary, GenerateError> {
    options.check()?;
    let board = SimulatedSystem::new(options);
    let header = header(options, &board.creations)?;
    let mut output = BlockWriter::new(output);
    let mut bytes = [0; 96];
    let written = header.write(options.layout, &mut bytes);
    let header_bytes = output.encoded(written)?;
    output.append(bytes.get(..header_bytes).unwrap_or_default())?;
    let deleted = deleted_threads(options);
    write_registry(
        &board.creations,
        &deleted,
        options.layout,
        options.name_size,
        &mut output,
    )?;
    let mut ring = RingWriter {
        options,
        clock: Clock::new(options.clock_bits, options.count_down),
        output,
        dispatches: vec![0; options.all_threads()],
        simulated: 0,
        work: 0,
        progress,
    };
    let simulation = Simulation::new(board.kernels, &board.creations, options);
    let span_ticks = match options.layout.ulong {
        UlongSize::Four => ring.write::<u32>(simulation)?,
        UlongSize::Eight => ring.write::<u64>(simulation)?,
    };
    ring.output.finish()?;
    (ring.progress)(options.events);
    let threads = board.creations.into_iter();
    Ok(ThreadXSummary {
        events: options.events.min(options.slots()),
        bytes: ring.output.position(),
        span_ticks,
        threads: threads
            .filter(|creation| creation.thread.is_some())
            .zip(ring.dispatches)
            .map(|(creation, dispatches)| ThreadSummary {
                name: creation.name,
                pointer: creation.pointer,
                dispatches,
            })
            .collect(),
    })
}

/// The addresses of the threads that are deleted at the end of the trace. A
/// separate simulation determines them before the first event is written.
fn deleted_threads(options: &ThreadXOptions) -> Vec<u64> {
    if !options.thread_control {
        return Vec::new();
    }
    let board = SimulatedSystem::new(options);
    let mut simulation = Simulation::new(board.kernels, &board.creations, options);
    let mut deleted = Vec::new();
    for _ in 0..options.events {
        let event = simulation.next_event();
        match event.id {
            id::THREAD_DELETE => deleted.push(event.info[0]),
            id::THREAD_CREATE => deleted.retain(|pointer| *pointer != event.info[0]),
            _ => {}
        }
    }
    deleted
}

/// The header of a buffer with these objects.
fn header(
    options: &ThreadXOptions,
    creations: &[Creation],
) -> Result<ControlHeader, GenerateError> {
    let layout = options.layout;
    let slots = options.slots();
    let entry_bytes = layout.entry_bytes() as u128;
    let stride = layout.registry_stride(options.name_size) as u128;
    let registry_start = layout.header_bytes() as u128;
    let buffer_start = registry_start + u128::from(registry_slots(creations)) * stride;
    let buffer_end = buffer_start + u128::from(slots) * entry_bytes;
    // In a full or wrapped ring, the next slot is that of the oldest event.
    let current = buffer_start + u128::from(options.events % slots) * entry_bytes;
    let base = trace_base(layout, buffer_end)?;
    let address = |offset: u128| layout.advance(base, offset as u64);
    Ok(ControlHeader {
        id: TXTB_ID,
        timer_mask: Clock::new(options.clock_bits, options.count_down).mask(),
        base_address: base,
        registry_start: address(registry_start),
        reserved1: 0,
        name_size: options.name_size,
        registry_end: address(buffer_start),
        buffer_start: address(buffer_start),
        buffer_end: address(buffer_end),
        current: address(current),
        markers: MARKERS,
    })
}

struct RingWriter<'a, O> {
    options: &'a ThreadXOptions,
    clock: Clock,
    output: BlockWriter<'a, O>,
    /// By thread: dispatches in the buffer.
    dispatches: Vec<u64>,
    /// Simulated events, some of them twice.
    simulated: u64,
    /// Events to simulate in total.
    work: u64,
    progress: &'a mut dyn FnMut(u64),
}

impl<O: Write> RingWriter<'_, O> {
    /// Writes all slots in memory order. Returns the ticks from the first to
    /// the last event.
    fn write<W: Word>(&mut self, mut simulation: Simulation) -> Result<u64, GenerateError> {
        let (events, slots) = (self.options.events, self.options.slots());
        let kept = events.min(slots);
        // The newest events of a wrapped ring precede the older ones in memory.
        let newest = if events > slots { events % slots } else { 0 };
        let older = kept - newest;
        self.work = events + if newest > 0 { older } else { 0 };
        self.skip(&mut simulation, events - kept);
        let mut last = None;
        if newest > 0 {
            let mut ahead = simulation.clone();
            self.skip(&mut ahead, older);
            last = self.entries::<W>(&mut ahead, newest)?.1;
        }
        let (first, last_older) = self.entries::<W>(&mut simulation, older)?;
        self.unused::<W>(slots - kept)?;
        Ok(first
            .zip(last.or(last_older))
            .map_or(0, |(first, last)| last - first))
    }

    fn skip(&mut self, simulation: &mut Simulation, count: u64) {
        for _ in 0..count {
            simulation.next_event();
            self.advance();
        }
    }

    /// Writes the next events. Returns the times of the first and the last.
    fn entries<W: Word>(
        &mut self,
        simulation: &mut Simulation,
        count: u64,
    ) -> Result<(Option<u64>, Option<u64>), GenerateError> {
        let (mut first, mut last) = (None, None);
        for _ in 0..count {
            let event = simulation.next_event();
            first.get_or_insert(event.time);
            last = Some(event.time);
            simulation.count_dispatch(event.dispatch, &mut self.dispatches);
            self.entry::<W>(&event)?;
            self.advance();
        }
        Ok((first, last))
    }

    #[inline]
    fn entry<W: Word>(&mut self, event: &Event) -> Result<(), GenerateError> {
        let entry = EventEntry {
            context: W::low_bits(event.context),
            priority: W::low_bits(event.priority),
            id: W::low_bits(u64::from(event.id)),
            timestamp: W::low_bits(self.clock.timestamp(event.time)),
            info: event.info.map(W::low_bits),
        };
        self.output.entry(&entry, self.options.layout.order)
    }

    /// Slots that were never written: only their context word is cleared.
    fn unused<W: Word>(&mut self, count: u64) -> Result<(), GenerateError> {
        let dirty = W::low_bits(DIRTY);
        let entry = EventEntry {
            context: W::low_bits(u64::from(CONTEXT_UNUSED)),
            priority: dirty,
            id: dirty,
            timestamp: dirty,
            info: [dirty; 4],
        };
        for _ in 0..count {
            self.output.entry(&entry, self.options.layout.order)?;
        }
        Ok(())
    }

    #[inline]
    fn advance(&mut self) {
        self.simulated += 1;
        if self.simulated.is_multiple_of(PROGRESS_EVENTS) {
            let share = u128::from(self.simulated) * u128::from(self.options.events);
            (self.progress)((share / u128::from(self.work.max(1))) as u64);
        }
    }
}
