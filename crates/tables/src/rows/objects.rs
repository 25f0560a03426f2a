//! The table `objects`.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_trace::Object;

columns! {
    COLUMNS: &Object;
    object_id: U32 = |_, it| it.id.0,
        "number of the object";
    object: Name = |_, it| Label::Object(it.id),
        "name, or address if it has no name";
    class: Dictionary = |_, it| Label::Static(it.class.name()),
        "class of the object, such as `queue` or `event-flags`";
    address: address = |_, it| it.address.0,
        "address, or number of an object identified by a number";
    parameter1: optional U64 = |_, it| it.parameters.map(|[first, _]| first),
        "depends on the class: stack start of a thread, initial ticks of a timer, size of a pool in bytes";
    parameter2: optional U64 = |_, it| it.parameters.map(|[_, second]| second),
        "depends on the class: stack size of a thread, period of a timer in ticks, message size of a queue in words";
    priority: optional U16 = |_, it| it.priority,
        "priority of a thread at registration; 0 is the highest";
    deleted: Bool = |_, it| it.deleted,
        "whether the recording shows that the object was deleted";
    slot: optional U32 = |_, it| it.slot,
        "slot in the registry; for RKH and context-switch logs the index in the list";
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let all = ctx.trace().objects.iter().collect();
    list_content(ctx, OwnedRows::<&'a Object>(all))
}
