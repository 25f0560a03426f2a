//! Recorded call stacks.

use crate::{Address, CodeLocation, EventIndex};
use std::collections::HashMap;
use std::fmt;

/// Why a call stack has no further frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StackStop {
    /// The outermost frame was reached.
    EndOfStack,
    /// The recorded words end before the caller's frame.
    Truncated,
    /// The firmware has no unwind information for the last address.
    NoUnwindInfo,
    /// The firmware marks the last function as not to be unwound.
    CannotUnwind,
    /// A register that the caller's frame depends on was not recorded.
    UnknownRegister,
    /// The caller's frame would not be above the last one.
    ImplausibleStackPointer,
    /// The unwind information is damaged, or uses an operation that is not supported.
    MalformedUnwindInfo,
    /// An exception interrupted code that uses the other stack (PSP), which was not
    /// recorded.
    OtherStack,
    /// The stack has more frames than [`MAX_FRAMES`].
    TooManyFrames,
    /// No firmware file was given.
    NoFirmware,
    /// Entries of the stack are missing.
    Incomplete,
}

/// Maximum number of frames of a call stack.
pub const MAX_FRAMES: usize = 64;

impl StackStop {
    /// The name in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EndOfStack => "end-of-stack",
            Self::Truncated => "truncated",
            Self::NoUnwindInfo => "no-unwind-info",
            Self::CannotUnwind => "cannot-unwind",
            Self::UnknownRegister => "unknown-register",
            Self::ImplausibleStackPointer => "implausible-stack-pointer",
            Self::MalformedUnwindInfo => "malformed-unwind-info",
            Self::OtherStack => "other-stack",
            Self::TooManyFrames => "too-many-frames",
            Self::NoFirmware => "no-firmware",
            Self::Incomplete => "incomplete",
        }
    }
}

impl fmt::Display for StackStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EndOfStack => "end of the stack",
            Self::Truncated => "the recorded words end here",
            Self::NoUnwindInfo => "no unwind information",
            Self::CannotUnwind => "marked as not to be unwound",
            Self::UnknownRegister => "a needed register was not recorded",
            Self::ImplausibleStackPointer => "implausible stack pointer",
            Self::MalformedUnwindInfo => "damaged or unsupported unwind information",
            Self::OtherStack => "continues on a stack that was not recorded",
            Self::TooManyFrames => "too many frames",
            Self::NoFirmware => "no firmware file",
            Self::Incomplete => "entries of the stack are missing",
        })
    }
}

/// The call stack at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallStack<'a> {
    all: &'a CallStacks,
    stored: StoredStack,
}

/// The call stacks of a trace. Equal frames are stored once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallStacks {
    /// By event.
    stacks: Vec<StoredStack>,
    /// The frames of all stacks, as indices of `frames`.
    frame_ids: Vec<u32>,
    frames: Vec<CodeLocation>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StoredStack {
    event: EventIndex,
    start: usize,
    len: usize,
    stop: StackStop,
}

impl<'a> CallStack<'a> {
    /// The event whose stack it is.
    pub fn event(self) -> EventIndex {
        self.stored.event
    }

    /// Why it has no further frames.
    pub fn stop(self) -> StackStop {
        self.stored.stop
    }

    /// The indices of its frames in [`CallStacks::frames`], innermost first.
    pub fn frame_ids(self) -> &'a [u32] {
        let ids = self.all.frame_ids.get(self.stored.start..);
        ids.and_then(|ids| ids.get(..self.stored.len))
            .unwrap_or_default()
    }

    /// Its frames, innermost first. Addresses of callers are return addresses; their
    /// locations are those of the calls.
    pub fn frames(self) -> impl Iterator<Item = &'a CodeLocation> {
        let frames = &self.all.frames;
        let ids = self.frame_ids().iter();
        ids.filter_map(move |id| frames.get(*id as usize))
    }

    /// What details and exports show as arguments of the event: the location and address
    /// of each frame, `frame 0` innermost, and as `stack ends` why there are no more.
    pub fn arguments(self) -> impl Iterator<Item = (String, String)> {
        let frames = self.frames().enumerate();
        let frames = frames.map(|(depth, frame)| (format!("frame {depth}"), frame_text(frame)));
        frames.chain([("stack ends".to_owned(), self.stop().to_string())])
    }

    /// The texts of [`arguments`](Self::arguments) as one, as
    /// `inner (a.c:7) at 0x10 < outer (a.c:9) at 0x20 (end of the stack)`.
    pub fn to_detailed_text(self) -> String {
        let frames: Vec<String> = self.frames().map(frame_text).collect();
        let space = if frames.is_empty() { "" } else { " " };
        format!("{}{space}({})", frames.join(" < "), self.stop())
    }
}

fn frame_text(frame: &CodeLocation) -> String {
    match (&frame.function, &frame.file) {
        (None, None) => frame.address.to_string(),
        _ => format!("{frame} at {}", frame.address),
    }
}

impl fmt::Display for CallStack<'_> {
    /// `inner < outer (end of the stack)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, frame) in self.frames().enumerate() {
            let separator = if number == 0 { "" } else { " < " };
            f.write_str(separator)?;
            match &frame.function {
                Some(function) => function.fmt(f)?,
                None => frame.address.fmt(f)?,
            }
        }
        let space = if self.stored.len == 0 { "" } else { " " };
        write!(f, "{space}({})", self.stop())
    }
}

impl CallStacks {
    /// The stack of an event.
    pub fn get(&self, event: EventIndex) -> Option<CallStack<'_>> {
        let found = self.stacks.binary_search_by_key(&event, |it| it.event);
        let stored = *self.stacks.get(found.ok()?)?;
        Some(CallStack { all: self, stored })
    }

    /// All stacks, by event.
    pub fn iter(&self) -> impl Iterator<Item = CallStack<'_>> {
        let stored = self.stacks.iter();
        stored.map(|stored| CallStack {
            all: self,
            stored: *stored,
        })
    }

    /// All different frames.
    pub fn frames(&self) -> &[CodeLocation] {
        &self.frames
    }

    /// Number of stacks.
    pub fn len(&self) -> usize {
        self.stacks.len()
    }

    /// Whether there is no stack.
    pub fn is_empty(&self) -> bool {
        self.stacks.is_empty()
    }
}

/// Collects call stacks.
#[derive(Debug, Default)]
pub struct CallStacksBuilder {
    all: CallStacks,
    ids: HashMap<(Address, bool), u32>,
}

impl CallStacksBuilder {
    /// Begins the stack of an event, which must be after those of the other stacks.
    pub fn begin(&mut self, event: EventIndex) {
        self.all.stacks.push(StoredStack {
            event,
            start: self.all.frame_ids.len(),
            len: 0,
            stop: StackStop::Incomplete,
        });
    }

    /// Adds the next outer frame to the last stack. `locate` is called once for each
    /// different frame: an address may be a return address in one stack and not in
    /// another.
    pub fn push(
        &mut self,
        address: Address,
        is_return: bool,
        locate: impl FnOnce() -> CodeLocation,
    ) {
        let Some(stack) = self.all.stacks.last_mut() else {
            return;
        };
        let frames = &mut self.all.frames;
        let id = *self.ids.entry((address, is_return)).or_insert_with(|| {
            frames.push(locate());
            u32::try_from(frames.len() - 1).unwrap_or(u32::MAX)
        });
        self.all.frame_ids.push(id);
        stack.len += 1;
    }

    /// Ends the last stack.
    pub fn end(&mut self, stop: StackStop) {
        if let Some(stack) = self.all.stacks.last_mut() {
            stack.stop = stop;
        }
    }

    /// The stacks.
    pub fn finish(self) -> CallStacks {
        self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(address: u64) -> CodeLocation {
        CodeLocation {
            address: Address(address),
            function: None,
            file: None,
            line: None,
        }
    }

    #[test]
    fn equal_frames_are_stored_once() {
        let mut builder = CallStacksBuilder::default();
        for event in [3, 7] {
            builder.begin(EventIndex(event));
            for address in [0x100, 0x200] {
                builder.push(Address(address), address == 0x200, || location(address));
            }
            builder.end(StackStop::EndOfStack);
        }
        builder.begin(EventIndex(9));
        let stacks = builder.finish();
        assert_eq!((stacks.len(), stacks.frames().len()), (3, 2));
        let second = stacks.get(EventIndex(7)).unwrap();
        assert_eq!(second.frame_ids(), [0, 1]);
        assert_eq!(second.to_string(), "0x100 < 0x200 (end of the stack)");
        let addresses: Vec<_> = second.frames().map(|frame| frame.address.0).collect();
        assert_eq!(addresses, [0x100, 0x200]);
        let arguments = second.arguments();
        let arguments: Vec<_> = arguments.map(|(name, text)| name + "=" + &text).collect();
        assert_eq!(
            arguments,
            [
                "frame 0=0x100",
                "frame 1=0x200",
                "stack ends=end of the stack"
            ]
        );
        assert_eq!(second.to_detailed_text(), second.to_string());
        let last = stacks.get(EventIndex(9)).unwrap();
        assert_eq!(
            last.to_detailed_text(),
            "(entries of the stack are missing)"
        );
        assert_eq!(
            (last.frames().count(), last.stop()),
            (0, StackStop::Incomplete)
        );
        assert!(stacks.get(EventIndex(4)).is_none());
    }
}
