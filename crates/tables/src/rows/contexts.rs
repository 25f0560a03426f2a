//! The table `contexts`.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_trace::{Context, ContextKind, Object};

columns! {
    COLUMNS: Context;
    context_id: U32 = |_, it| it.id.0,
        "number of the context; 0 is all interrupts, 1 initialisation, 2 idle";
    context: Name = |_, it| Label::Context(it.id),
        "name, or address if it has no name; `(interrupt)`, `(initialize)`, `(idle)`";
    kind: Dictionary = |_, it| Label::Static(kind(it.kind)),
        "`thread` (also active objects), `interrupt`, `initialize`, `idle`";
    address: address = |_, it| it.address.0,
        "address of a thread's control block, or the word that represents the context in the recording";
    object_id: optional U32 = |_, it| it.object.map(|object| object.0),
        "object that names the context";
    priority: optional U16 = |ctx, it| object(ctx, it).and_then(|object| object.priority),
        "priority at registration; 0 is the highest";
    stack_start: optional address = |ctx, it| object(ctx, it).and_then(Object::stack).map(|[start, _]| start),
        "lowest address of the stack";
    stack_bytes: optional bytes = |ctx, it| object(ctx, it).and_then(Object::stack).map(|[_, bytes]| bytes),
        "size of the stack";
    events: count = |ctx, it| events(ctx, it),
        "number of events that the context logged";
}

fn kind(kind: ContextKind) -> &'static str {
    match kind {
        ContextKind::Interrupt => "interrupt",
        ContextKind::Initialize => "initialize",
        ContextKind::Idle => "idle",
        ContextKind::Thread => "thread",
    }
}

fn object<'a>(ctx: &RowContext<'a>, context: &Context) -> Option<&'a Object> {
    ctx.trace().objects.get(context.object?)
}

fn events(ctx: &RowContext<'_>, context: &Context) -> u64 {
    let figures = ctx
        .recording
        .whole
        .event_counts
        .contexts
        .get(context.id.index());
    figures.map_or(0, |figures| figures.events)
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let all = ctx.trace().contexts.iter().copied().collect();
    list_content(ctx, OwnedRows::<Context>(all))
}
