//! The table `stacks`.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::report::stacks::{StackRow, stacks};
use rtoscope_trace::EventIndex;

columns! {
    COLUMNS: StackRow;
    context_id: U32 = |_, it| it.context.0,
        "number of the thread";
    context: Dictionary = |_, it| Label::Context(it.context),
        "name of the thread";
    stack_start: U64 = |_, it| it.stack.start.0.0,
        "lowest address of the stack";
    stack_bytes: bytes = |_, it| it.stack.size,
        "size of the stack";
    min_free: optional bytes = |_, it| it.stack.min_free,
        "free bytes at the deepest recorded call; the actual minimum is lower; null if no event has a stack pointer within the stack";
    used_percent: optional F64 = |_, it| it.stack.used_percent,
        "used share of the stack at that call";
    event: optional event = |ctx, it| it.stack.event.map(|event| ctx.event_number(EventIndex(event))),
        "event of the deepest call";
    outside: count = |_, it| it.stack.outside,
        "number of stack pointers outside the thread's stack: it overflowed, or the thread runs on another stack";
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    list_content(ctx, OwnedRows(stacks(&ctx.recording.view())))
}
