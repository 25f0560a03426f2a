//! How full the stacks of threads are.

use super::TableContent;
use super::field::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_analysis::report::stacks::{StackRow, stacks};
use rtoscope_trace::EventIndex;

columns! {
    StackRow;
    context_id: U32 = |_, it| it.context.0,
        "the thread";
    context: Word = |_, it| Label::Context(it.context),
        "its name";
    stack_start: U64 = |_, it| it.stack.start.0.0,
        "the lowest address of its stack";
    stack_bytes: bytes = |_, it| it.stack.size,
        "the stack's size";
    minimum_free: optional bytes = |_, it| it.stack.min_free,
        "bytes that stayed free at the deepest recorded call; the real minimum is lower; missing where no event has a stack pointer in the stack";
    used_percent: optional F64 = |_, it| it.stack.used_percent,
        "the rest, in percent of the size";
    event: optional event = |scene, it| it.stack.event.map(|event| scene.event_number(EventIndex(event))),
        "the event of the deepest call";
    outside: count = |_, it| it.stack.outside,
        "stack pointers of the thread outside its stack: it has overflowed, or runs on another one";
}

pub(super) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    list_content(scene, OwnedRows(stacks(&scene.source.view)))
}
