//! The table `call_stack_frames`.

use super::TableContent;
use super::column_filler::RowBlocks;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{RowList, list_content};
use crate::row_context::RowContext;
use rtoscope_trace::{CallStacks, CodeLocation, EventIndex, StackStop};
use std::ops::Range;

/// A frame of a stack; a stack without frames has one row without a frame.
pub(super) struct FrameRow<'a> {
    event: EventIndex,
    depth: u32,
    frame: Option<(u32, &'a CodeLocation)>,
    /// Why the stack ends, in its last row.
    stop: Option<StackStop>,
}

columns! {
    COLUMNS: FrameRow<'_>;
    event: event = |ctx, it| ctx.event_number(it.event),
        "event with the stack: it follows the one that was recorded";
    depth: U32 = |_, it| it.depth,
        "number of the frame, 0 for the innermost";
    function: optional Name = |_, it| it.label(Label::FrameFunction, |frame| frame.function.is_some()),
        "function of the frame";
    source: optional Name = |_, it| it.label(Label::FrameFile, |frame| frame.file.is_some()),
        "source file, as in the debug information";
    line: optional U32 = |_, it| it.frame.and_then(|(_, frame)| frame.line),
        "line in that file, from 1: that of the call, except in the innermost frame";
    address: optional address = |_, it| it.frame.map(|(_, frame)| frame.address.0),
        "code address: a return address, except in the innermost frame and in one that an exception interrupted";
    stop: optional Dictionary = |_, it| it.stop.map(|stop| Label::Static(stop.name())),
        "in the last row of a stack, why it has no further frames: `end-of-stack`, `truncated`, `no-unwind-info`, `cannot-unwind`, `unknown-register`, `implausible-stack-pointer`, `malformed-unwind-info`, `other-stack`, `too-many-frames`, `no-firmware`, `incomplete`";
}

impl FrameRow<'_> {
    fn label(
        &self,
        label: impl Fn(u32) -> Label,
        is_known: impl Fn(&CodeLocation) -> bool,
    ) -> Option<Label> {
        let (id, frame) = self.frame?;
        is_known(frame).then(|| label(id))
    }
}

/// The frames of all stacks.
struct FrameRows<'a> {
    stacks: &'a CallStacks,
    /// The first row of each stack, and the number of rows.
    starts: Vec<usize>,
}

impl<'a> FrameRows<'a> {
    fn new(stacks: &'a CallStacks) -> Self {
        let mut starts = vec![0];
        let mut rows = 0;
        for stack in stacks.iter() {
            rows += stack.frame_ids().len().max(1);
            starts.push(rows);
        }
        Self { stacks, starts }
    }
}

impl<'a> RowList for FrameRows<'a> {
    type Row = FrameRow<'a>;

    fn len(&self) -> usize {
        self.starts.last().copied().unwrap_or_default()
    }

    fn visit(&self, rows: Range<usize>, visit: impl FnMut(&[FrameRow<'a>])) {
        let mut blocks = RowBlocks::new(visit);
        let first = self.starts.partition_point(|start| *start <= rows.start);
        let first = first.saturating_sub(1);
        let stacks = self.stacks.iter().skip(first);
        for (start, stack) in self.starts.iter().skip(first).zip(stacks) {
            if *start >= rows.end {
                break;
            }
            let ids = stack.frame_ids();
            let count = ids.len().max(1);
            for depth in (0..count).filter(|depth| rows.contains(&(start + depth))) {
                let id = ids.get(depth).copied();
                blocks.push(FrameRow {
                    event: stack.event(),
                    depth: u32::try_from(depth).unwrap_or(u32::MAX),
                    frame: id.and_then(|id| {
                        let frame = self.stacks.frames().get(id as usize)?;
                        Some((id, frame))
                    }),
                    stop: (depth + 1 == count).then(|| stack.stop()),
                });
            }
        }
        blocks.finish();
    }
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    list_content(ctx, FrameRows::new(&ctx.trace().call_stacks))
}
