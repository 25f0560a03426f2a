//! Linux kernel events (ftrace), one buffer per CPU.
//!
//! Only this input format lets the engine know preemptions, wakers and interrupt
//! handlers.

use super::message::Message;
use super::packets::{PacketSequence, PacketWriter};
use super::track_writer::TrackId;
use std::io::Write;

/// `TracePacket.ftrace_events`.
const BUNDLE: u32 = 1;

/// Fields of `FtraceEventBundle`.
mod bundle {
    pub(super) const CPU: u32 = 1;
    pub(super) const EVENT: u32 = 2;
}

/// Fields of `FtraceEvent`.
mod event {
    pub(super) const TIMESTAMP: u32 = 1;
    pub(super) const PID: u32 = 2;
    pub(super) const SCHED_SWITCH: u32 = 4;
    pub(super) const COMMON_FLAGS: u32 = 5;
    pub(super) const SCHED_WAKING: u32 = 20;
    pub(super) const IRQ_HANDLER_ENTRY: u32 = 36;
    pub(super) const IRQ_HANDLER_EXIT: u32 = 37;
}

/// `TRACE_FLAG_HARDIRQ` in `FtraceEvent.common_flags`.
const HARD_IRQ: u64 = 0x08;

/// The thread id of idle.
pub(super) const IDLE_TRACK: TrackId = TrackId(0);

/// The size at which a CPU's events are written as a bundle.
const MAX_BUNDLE_LEN: usize = 16 << 10;

/// `prev_state` of `sched_switch`, as Linux 4.4 writes it: the engine assumes that
/// version if the trace names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PrevState {
    /// `TASK_RUNNING`: ready; idle always is.
    Ready = 0x00,
    /// `TASK_INTERRUPTIBLE`: blocked.
    Sleeping = 0x01,
    /// `__TASK_STOPPED`: unknown.
    Stopped = 0x04,
    /// `EXIT_DEAD`: ended.
    Dead = 0x10,
    /// `TASK_STATE_MAX`: ready after losing its core.
    Preempted = 0x800,
}

/// A context switch on a CPU.
#[derive(Debug, Clone, Copy)]
pub(super) struct SchedSwitch {
    pub(super) prev: TrackId,
    pub(super) prev_state: PrevState,
    pub(super) next: TrackId,
    pub(super) priority: i64,
}

/// The waker of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Waker {
    pub(super) task: TrackId,
    pub(super) is_interrupt: bool,
}

/// The events of all CPUs of a recording.
pub(super) struct Ftrace {
    sequence: PacketSequence,
    /// The number of core 0.
    first_cpu: u64,
    cpus: Vec<CpuBundle>,
}

#[derive(Default)]
struct CpuBundle {
    events: Message,
    /// The time of the last event.
    last_time: u64,
}

impl Ftrace {
    pub(super) fn new<W: Write>(packets: &mut PacketWriter<W>, first_cpu: u64) -> Self {
        Self {
            sequence: packets.sequence(),
            first_cpu,
            cpus: Vec::new(),
        }
    }

    /// Writes a context switch.
    pub(super) fn switch<W: Write>(
        &mut self,
        packets: &mut PacketWriter<W>,
        core: u8,
        time: u64,
        switch: SchedSwitch,
    ) {
        self.event(packets, core, time, switch.prev, |message| {
            let content = message.open(event::SCHED_SWITCH);
            // `prev_pid`, `prev_state`, `next_pid` and `next_prio`.
            message.number(2, switch.prev.0);
            message.number(4, switch.prev_state as u64);
            message.number(6, switch.next.0);
            message.signed(7, switch.priority);
            message.close(content);
        });
    }

    /// Writes the wake-up of a blocked thread.
    pub(super) fn waking<W: Write>(
        &mut self,
        packets: &mut PacketWriter<W>,
        core: u8,
        time: u64,
        waker: Waker,
        thread: TrackId,
    ) {
        self.event(packets, core, time, waker.task, |message| {
            if waker.is_interrupt {
                message.number(event::COMMON_FLAGS, HARD_IRQ);
            }
            let content = message.open(event::SCHED_WAKING);
            // `pid`.
            message.number(2, thread.0);
            message.close(content);
        });
    }

    /// Writes the entry of an interrupt service routine.
    pub(super) fn irq_entry<W: Write>(
        &mut self,
        packets: &mut PacketWriter<W>,
        core: u8,
        time: u64,
        number: Option<u32>,
        name: &str,
    ) {
        self.event(packets, core, time, IDLE_TRACK, |message| {
            let content = message.open(event::IRQ_HANDLER_ENTRY);
            // `irq` and `name`.
            if let Some(number) = number {
                message.number(1, number.into());
            }
            message.text(2, name);
            message.close(content);
        });
    }

    /// Writes the exit of the innermost interrupt service routine.
    pub(super) fn irq_exit<W: Write>(
        &mut self,
        packets: &mut PacketWriter<W>,
        core: u8,
        time: u64,
    ) {
        self.event(packets, core, time, IDLE_TRACK, |message| {
            let content = message.open(event::IRQ_HANDLER_EXIT);
            // `ret`: `IRQ_HANDLED`.
            message.number(2, 1);
            message.close(content);
        });
    }

    /// Writes the remaining events.
    pub(super) fn finish<W: Write>(mut self, packets: &mut PacketWriter<W>) {
        for core in 0..self.cpus.len() {
            self.flush(packets, core);
        }
    }

    /// Adds an event. The engine sorts by time and keeps the order of a CPU's
    /// simultaneous events; a time before that of the last event is raised to it.
    fn event<W: Write>(
        &mut self,
        packets: &mut PacketWriter<W>,
        core: u8,
        time: u64,
        task: TrackId,
        content: impl FnOnce(&mut Message),
    ) {
        let core = usize::from(core);
        if self.cpus.len() <= core {
            self.cpus.resize_with(core + 1, CpuBundle::default);
        }
        let Some(cpu) = self.cpus.get_mut(core) else {
            return;
        };
        // The engine's times are signed.
        cpu.last_time = time.min(i64::MAX.cast_unsigned()).max(cpu.last_time);
        let message = &mut cpu.events;
        let opened = message.open(bundle::EVENT);
        message.number(event::TIMESTAMP, cpu.last_time);
        message.number(event::PID, task.0);
        content(message);
        message.close(opened);
        if message.0.len() >= MAX_BUNDLE_LEN {
            self.flush(packets, core);
        }
    }

    /// Writes the events of a core as a bundle.
    fn flush<W: Write>(&mut self, packets: &mut PacketWriter<W>, core: usize) {
        let Some(cpu) = self.cpus.get_mut(core) else {
            return;
        };
        let events = &mut cpu.events.0;
        if events.is_empty() {
            return;
        }
        let mut head = Message::default();
        head.number(bundle::CPU, self.first_cpu + core as u64);
        let (message, packet) = packets.begin_untimed(&self.sequence);
        message.content(BUNDLE, &[&head.0, events]);
        packets.end(packet);
        events.clear();
    }
}
