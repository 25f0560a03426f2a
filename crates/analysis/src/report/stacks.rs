//! Stack usage of threads.

use super::rounding::percent_of;
use super::{Hex, View};
use crate::report::ReportKind;
use crate::report::findings::MAX_STACK_PERCENT;
use crate::report::table::FrontEnd::Text;
use crate::report::table::{Cell, ReportTable, TableRow, column};
use rtoscope_trace::{Address, Context, ContextId};
use schemars::JsonSchema;
use serde::Serialize;

/// A thread's stack.
///
/// The kernel records the address of a local variable of its own functions, in
/// the thread's own calls: the real high-water mark is deeper.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StackUsage {
    /// Its lowest address.
    pub stack_start: Hex,
    /// Its size in bytes.
    pub stack_bytes: u64,
    /// Bytes that stayed free at the deepest call; `None` if no event has a
    /// stack pointer inside the stack.
    pub min_free: Option<u64>,
    /// The used part, in percent of the size.
    pub used_percent: Option<f64>,
    /// The event of the deepest call.
    pub event: Option<u32>,
    /// Stack pointers of the thread's events outside its stack: it has
    /// overflowed, or the thread runs on another one.
    pub outside: u64,
    /// Whether one of these is only a little below the stack, as after an overflow.
    #[serde(skip)]
    pub is_just_below: bool,
}

/// A thread and its stack.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StackRow {
    /// The thread.
    #[serde(skip)]
    pub context: ContextId,
    /// The thread's name, or its address if it has none.
    pub thread: String,
    /// The address of its control block.
    pub address: Hex,
    /// Its stack.
    #[serde(flatten)]
    pub stack: StackUsage,
}

impl TableRow for StackRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "stacks",
        title: ReportKind::Stacks.title(),
        note: "The kernel records an address inside its own functions: the real usage is slightly higher",
        empty: "The recording has no stack data",
        rank: "used_percent",
        columns: &[
            column!(Count, context_id, "Number in `contexts`", |row| {
                Some(Cell::Count(row.context.0.into()))
            })
            .only(&[]),
            column!(Text, thread, "Thread"),
            column!(Address, address, "Address of the control block").only(&[]),
            column!(Address, [stack].stack_start, "Start").only(&[Text]),
            column!(Count, [stack].stack_bytes, "Size").unit("bytes"),
            column!(Count, [stack].min_free, "Min free")
                .unit("bytes")
                .hint("Free bytes at the deepest call"),
            column!(Percent, [stack].used_percent, "Used").warns(MAX_STACK_PERCENT, 95.0),
            column!(Event, [stack].event, "At event"),
            column!(Count, [stack].outside, "Outside")
                .hint("Events with a stack pointer outside the stack"),
        ],
    };
}

/// The stacks that the recording describes, in the order of the trace.
pub fn stacks(view: &View<'_>) -> Vec<StackRow> {
    let row = |context: &Context| {
        Some(StackRow {
            context: context.id,
            thread: view.trace.context_name(context.id),
            address: Hex(context.address),
            stack: stack(view, context)?,
        })
    };
    view.threads().filter_map(row).collect()
}

/// A thread's stack.
pub(super) fn stack(view: &View<'_>, thread: &Context) -> Option<StackUsage> {
    let object = view.trace.objects.get(thread.object?)?;
    let [start, stack_bytes] = object.stack()?;
    let counts = view.event_counts.contexts.get(thread.id.index());
    let counts = counts.copied().unwrap_or_default();
    let deepest = counts.stack_pointer;
    let free = deepest.map(|(pointer, _)| pointer - start);
    let used = |free: u64| percent_of((stack_bytes - free) as f64, stack_bytes as f64);
    Some(StackUsage {
        stack_start: Hex(Address(start)),
        stack_bytes,
        min_free: free,
        used_percent: free.and_then(used),
        event: deepest.map(|(_, event)| event.0),
        outside: counts.outside_stack_pointers,
        is_just_below: counts.is_just_below_stack,
    })
}
