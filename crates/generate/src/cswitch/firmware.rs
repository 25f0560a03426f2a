//! The parts of the simulated firmware that entries refer to: functions and
//! strings.

use crate::board::SimulatedSystem;
use crate::event::id;
use crate::interrupts;
use crate::role::ROLES;

/// The address of the code.
const CODE: u64 = 0x0800_0000;
/// The size of a kernel function in bytes.
const SERVICE_BYTES: u64 = 0x100;
/// The address of interrupt handlers, and the size of each in bytes.
const HANDLERS: u64 = CODE + 0x1_0000;
const HANDLER_BYTES: u64 = 0x40;
/// The address of threads' entry functions, and the size of each in bytes.
const ENTRIES: u64 = CODE + 0x2_0000;
const ENTRY_BYTES: u64 = 0x400;
/// The address of constant strings.
const TEXTS: u64 = 0x0810_0000;

/// The scheduler, which has no event.
const SCHEDULER: &str = "_tx_thread_schedule";

/// Services that disable interrupts briefly, by their events.
const SERVICES: [(u32, &str); 16] = [
    (id::THREAD_RESUME, "_tx_thread_system_resume"),
    (id::THREAD_SUSPEND, "_tx_thread_system_suspend"),
    (id::BLOCK_ALLOCATE, "_tx_block_allocate"),
    (id::BLOCK_RELEASE, "_tx_block_release"),
    (id::BYTE_ALLOCATE, "_tx_byte_allocate"),
    (id::BYTE_RELEASE, "_tx_byte_release"),
    (id::EVENT_FLAGS_GET, "_tx_event_flags_get"),
    (id::EVENT_FLAGS_SET, "_tx_event_flags_set"),
    (id::MUTEX_GET, "_tx_mutex_get"),
    (id::MUTEX_PUT, "_tx_mutex_put"),
    (id::QUEUE_RECEIVE, "_tx_queue_receive"),
    (id::QUEUE_SEND, "_tx_queue_send"),
    (id::SEMAPHORE_GET, "_tx_semaphore_get"),
    (id::SEMAPHORE_PUT, "_tx_semaphore_put"),
    (id::THREAD_RELINQUISH, "_tx_thread_relinquish"),
    (id::THREAD_SLEEP, "_tx_thread_sleep"),
];

/// A function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) address: u64,
    pub(super) bytes: u64,
    pub(super) name: String,
}

/// A constant string: the name of a thread, or of all interrupt handlers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlacedString {
    pub(super) address: u64,
    pub(super) text: String,
}

/// Indices of the markers.
pub(super) const SPAN: usize = 0;
pub(super) const INSTANT: usize = 1;
/// The marker of a pipeline's items, before those of its stages.
pub(super) const ITEM: usize = 2;

/// The functions and strings of the simulated firmware.
#[derive(Debug, Clone)]
pub(super) struct Firmware {
    /// The names of threads, numbered across all cores.
    pub(super) threads: Vec<PlacedString>,
    /// The name used by all interrupt handlers.
    pub(super) isr: PlacedString,
    /// The names of markers: [`SPAN`], [`INSTANT`], and with a pipeline [`ITEM`] and its
    /// stages.
    pub(super) markers: Vec<PlacedString>,
    pub(super) functions: Vec<Function>,
    /// The entry function of each thread.
    entries: Vec<u64>,
}

impl Firmware {
    /// The firmware of a simulated system.
    pub(super) fn new(board: &SimulatedSystem, pipeline_stages: u8) -> Self {
        let mut free = TEXTS;
        let mut text = |text: String| {
            let address = free;
            // With its NUL, and aligned as by a compiler.
            free += (text.len() as u64 + 1).next_multiple_of(4);
            PlacedString { address, text }
        };
        let isr = text("ISR".into());
        let threads = board.creations.iter();
        let threads = threads
            .filter(|creation| creation.thread.is_some())
            .map(|creation| text(creation.name.clone()))
            .collect();
        let mut markers = vec!["job".to_owned(), "checkpoint".to_owned()];
        if pipeline_stages > 0 {
            let stages = (1..=pipeline_stages).map(|stage| format!("serve {stage}"));
            markers.extend(std::iter::once("item".to_owned()).chain(stages));
        }
        let markers = markers.into_iter().map(text).collect();
        let mut entries: Vec<_> = board
            .kernels
            .iter()
            .flat_map(|kernel| &kernel.threads)
            .map(|thread| {
                let role = ROLES.iter().position(|role| role == thread.role);
                (thread.number, role.unwrap_or_default() as u64)
            })
            .collect();
        entries.sort_unstable();
        Self {
            threads,
            isr,
            markers,
            functions: functions(board),
            entries: entries
                .into_iter()
                .map(|(_, role)| ENTRIES + role * ENTRY_BYTES)
                .collect(),
        }
    }

    /// The address at which a thread resumes: in its own code, at an even
    /// offset.
    pub(super) fn code_address(&self, thread: u16, random: u32) -> u64 {
        let entry = self.entries.get(usize::from(thread)).copied();
        entry.unwrap_or(ENTRIES) + u64::from(random) % (ENTRY_BYTES / 2) * 2
    }

    /// The address of a marker's name.
    pub(super) fn marker(&self, number: usize) -> u64 {
        self.markers.get(number).map_or(0, |name| name.address)
    }

    /// The address of a thread's name.
    pub(super) fn name(&self, thread: u16) -> u64 {
        let name = self.threads.get(usize::from(thread));
        name.map_or(0, |name| name.address)
    }
}

/// The address of an interrupt's handler.
pub(super) fn handler(number: u64) -> u64 {
    HANDLERS + number * HANDLER_BYTES
}

/// The addresses in the scheduler at which idle starts and ends.
pub(super) const SLEEPS: u64 = CODE + 0x20;
pub(super) const WAKES: u64 = CODE + 0x24;

/// The addresses at which the service of an event disables and restores
/// interrupts; `None` if it has no critical section.
pub(super) fn critical_section(event: u32) -> Option<(u64, u64)> {
    let known = SERVICES.iter().any(|(service, _)| *service == event);
    known.then(|| (service(event) + 0x18, service(event) + 0xC4))
}

fn service(event: u32) -> u64 {
    CODE + u64::from(event) * SERVICE_BYTES
}

fn functions(board: &SimulatedSystem) -> Vec<Function> {
    let function = |address, bytes, name: String| Function {
        address,
        bytes,
        name,
    };
    let mut all = vec![function(CODE, SERVICE_BYTES, SCHEDULER.into())];
    for (event, name) in SERVICES {
        all.push(function(service(event), SERVICE_BYTES, name.into()));
    }
    let sets = board.kernels.iter().map(|kernel| kernel.sets.len());
    for (number, name) in interrupts::handlers(sets.max().unwrap_or_default()) {
        all.push(function(handler(number), HANDLER_BYTES, name));
    }
    for (role, number) in ROLES.iter().zip(0..) {
        let [name, _] = role.names;
        let address = ENTRIES + number * ENTRY_BYTES;
        all.push(function(address, ENTRY_BYTES, format!("{name}_entry")));
    }
    all.sort_by_key(|function| function.address);
    all
}
