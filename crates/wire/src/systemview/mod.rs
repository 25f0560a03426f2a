//! The stream of SEGGER SystemView's target code: packets of variable length, each with the time
//! since the packet before it.
//!
//! ```text
//! sync      10 zero bytes
//! id 0..23  <id> <arguments> <delta>
//! id ≥ 24   <id> <length of the arguments> <arguments> <delta>
//! ```
//!
//! Numbers are [variable-length](varint). The same bytes arrive by RTT, UART and TCP/IP and are
//! in saved files, which may have a [text header](header).

pub mod header;
pub mod packet;
pub mod varint;
mod writer;

pub use packet::{Framing, Packet, PacketError};
pub use writer::PacketWriter;

/// Length of the sequence of zeros that begins a recording, and with which a reader aligns.
pub const SYNC_BYTES: usize = 10;

/// The smallest id whose packets contain their length.
pub const FIRST_ID_WITH_LENGTH: u32 = 24;

/// The largest id of an event.
pub const MAX_ID: u32 = 0x7FFF;

/// The ids of packets. Those from 32 to 511 are calls of the operating system, those from 512 to
/// 1023 events of modules, the others those of the application.
pub mod id {
    // The names of the events.
    #![allow(missing_docs)]

    pub const NOP: u32 = 0;
    pub const OVERFLOW: u32 = 1;
    pub const ISR_ENTER: u32 = 2;
    pub const ISR_EXIT: u32 = 3;
    pub const TASK_START_EXEC: u32 = 4;
    pub const TASK_STOP_EXEC: u32 = 5;
    pub const TASK_START_READY: u32 = 6;
    pub const TASK_STOP_READY: u32 = 7;
    pub const TASK_CREATE: u32 = 8;
    pub const TASK_INFO: u32 = 9;
    pub const TRACE_START: u32 = 10;
    pub const TRACE_STOP: u32 = 11;
    pub const SYSTIME_CYCLES: u32 = 12;
    pub const SYSTIME_US: u32 = 13;
    pub const SYSDESC: u32 = 14;
    pub const MARK_START: u32 = 15;
    pub const MARK_STOP: u32 = 16;
    pub const IDLE: u32 = 17;
    pub const ISR_TO_SCHEDULER: u32 = 18;
    pub const TIMER_ENTER: u32 = 19;
    pub const TIMER_EXIT: u32 = 20;
    pub const STACK_INFO: u32 = 21;
    pub const MODULEDESC: u32 = 22;
    pub const DATA_SAMPLE: u32 = 23;
    pub const INIT: u32 = 24;
    pub const NAME_RESOURCE: u32 = 25;
    pub const PRINT_FORMATTED: u32 = 26;
    pub const NUMMODULES: u32 = 27;
    pub const END_CALL: u32 = 28;
    pub const TASK_TERMINATE: u32 = 29;
    pub const EX: u32 = 31;
    /// The first call of the operating system.
    pub const FIRST_CALL: u32 = 32;
}

/// The ids that are the first argument of [`id::EX`].
pub mod extended_id {
    // The names of the events.
    #![allow(missing_docs)]

    pub const MARK: u32 = 0;
    pub const NAME_MARKER: u32 = 1;
    pub const HEAP_DEFINE: u32 = 2;
    pub const HEAP_ALLOC: u32 = 3;
    pub const HEAP_ALLOC_EX: u32 = 4;
    pub const HEAP_FREE: u32 = 5;
    pub const REGISTER_DATA: u32 = 6;
}

/// The commands that a host sends, one byte each.
pub mod command {
    /// Start recording; when started already, send the start sequence again.
    pub const START: u8 = 1;
    /// Stop recording.
    pub const STOP: u8 = 2;
    /// Send the list of tasks.
    pub const GET_TASK_LIST: u8 = 4;
    /// Send the descriptions of the system.
    pub const GET_SYSTEM_DESCRIPTION: u8 = 5;
    /// Send the descriptions of all modules.
    pub const GET_MODULE_DESCRIPTIONS: u8 = 7;
}
