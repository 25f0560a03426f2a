//! DWARF call frame information: `.debug_frame` and `.eh_frame`.

use super::machine::Machine;
use super::{FrameState, REGISTERS};
use crate::elf::SectionContents;
use crate::lines::{DebugSections, DwarfSlice};
use gimli::{
    BaseAddresses, CfaRule, CieOrFde, DebugFrame, EhFrame, EndianSlice, Register, RegisterRule,
    SectionId, UnwindContext, UnwindSection,
};
use rtoscope_trace::call_stack::StackStop;

/// The sections of debug information with frames.
pub(crate) const FRAME_SECTIONS: [SectionId; 1] = [SectionId::DebugFrame];

/// Number of ranges before an address to examine: functions overlap only by mistake.
const MAX_OVERLAPPING_RANGES: usize = 8;

/// The frame descriptions of a program.
#[derive(Debug)]
pub(super) struct DwarfFrames {
    sections: DebugSections,
    eh_frame: Option<SectionContents>,
    /// By start.
    descriptions: Vec<Description>,
}

/// The location of a function's frame description.
#[derive(Debug, Clone, Copy)]
struct Description {
    start: u64,
    end: u64,
    offset: usize,
    is_eh_frame: bool,
}

impl DwarfFrames {
    pub(super) fn new(
        bytes: &[u8],
        sections: DebugSections,
        eh_frame: Option<SectionContents>,
    ) -> Self {
        let mut all = Self {
            sections,
            eh_frame,
            descriptions: Vec::new(),
        };
        let mut found = Vec::new();
        let debug_frame = all.debug_frame(bytes);
        collect(&debug_frame, &BaseAddresses::default(), false, &mut found);
        let (eh_frame, bases) = all.eh_frame(bytes);
        collect(&eh_frame, &bases, true, &mut found);
        // Code that the linker removed remains at address 0.
        found.retain(|it| it.start != 0);
        // Of equal starts, the last one is examined first: `.debug_frame`.
        found.sort_by_key(|it| (it.start, !it.is_eh_frame));
        all.descriptions = found;
        all
    }

    fn debug_frame<'a>(&'a self, bytes: &'a [u8]) -> DebugFrame<DwarfSlice<'a>> {
        let section = self.sections.section(bytes, SectionId::DebugFrame);
        let mut frame = DebugFrame::from(section);
        frame.set_address_size(4);
        frame
    }

    fn eh_frame<'a>(&'a self, bytes: &'a [u8]) -> (EhFrame<DwarfSlice<'a>>, BaseAddresses) {
        let found = self.eh_frame.as_ref();
        let data = found.and_then(|it| bytes.get(it.file_range.clone()));
        let slice = EndianSlice::new(data.unwrap_or_default(), self.sections.order());
        let mut frame = EhFrame::from(slice);
        frame.set_address_size(4);
        let address = found.map_or(0, |it| it.address);
        (frame, BaseAddresses::default().set_eh_frame(address))
    }

    /// The frame of the caller of the function at `address`; `None` without a description
    /// of it.
    pub(super) fn caller<'a>(
        &self,
        bytes: &[u8],
        machine: &Machine,
        address: u32,
        state: &FrameState<'a>,
    ) -> Option<Result<FrameState<'a>, StackStop>> {
        let address = u64::from(address);
        let following = self.descriptions.partition_point(|it| it.start <= address);
        let before = self.descriptions.get(..following)?.iter().rev();
        let found = before
            .take(MAX_OVERLAPPING_RANGES)
            .find(|it| address < it.end)?;
        Some(match found.is_eh_frame {
            false => {
                let frame = self.debug_frame(bytes);
                apply(
                    &frame,
                    &BaseAddresses::default(),
                    found,
                    address,
                    machine,
                    state,
                )
            }
            true => {
                let (frame, bases) = self.eh_frame(bytes);
                apply(&frame, &bases, found, address, machine, state)
            }
        })
    }
}

/// Collects the frame descriptions of a section, up to damage.
fn collect<'a, S: UnwindSection<DwarfSlice<'a>>>(
    section: &S,
    bases: &BaseAddresses,
    is_eh_frame: bool,
    found: &mut Vec<Description>,
) {
    let mut entries = section.entries(bases);
    while let Ok(Some(entry)) = entries.next() {
        let CieOrFde::Fde(partial) = entry else {
            continue;
        };
        if let Ok(fde) = partial.parse(S::cie_from_offset) {
            let start = fde.initial_address();
            found.push(Description {
                start,
                end: start.saturating_add(fde.len()),
                offset: fde.offset(),
                is_eh_frame,
            });
        }
    }
}

/// Applies the rules of a frame description.
fn apply<'a, 's, S: UnwindSection<DwarfSlice<'a>>>(
    section: &S,
    bases: &BaseAddresses,
    found: &Description,
    address: u64,
    machine: &Machine,
    state: &FrameState<'s>,
) -> Result<FrameState<'s>, StackStop> {
    let malformed = |_: gimli::Error| StackStop::MalformedUnwindInfo;
    let fde = section
        .fde_from_offset(bases, found.offset.into(), S::cie_from_offset)
        .map_err(malformed)?;
    let mut context = UnwindContext::new();
    let row = fde
        .unwind_info_for_address(section, bases, &mut context, address)
        .map_err(malformed)?;
    let CfaRule::RegisterAndOffset { register, offset } = *row.cfa() else {
        return Err(StackStop::MalformedUnwindInfo);
    };
    let base = state
        .register(register.0)
        .ok_or(StackStop::UnknownRegister)?;
    let offset_from = |base: u32, offset: i64| {
        let sum = i64::from(base).checked_add(offset);
        let sum = sum.and_then(|sum| u32::try_from(sum).ok());
        sum.ok_or(StackStop::ImplausibleStackPointer)
    };
    let cfa = offset_from(base, offset)?;
    let mut next = state.clone();
    next.sp = cfa;
    let return_address = fde.cie().return_address_register().0;
    for number in 0..REGISTERS as u16 {
        let is_return_address = number == return_address;
        let value = match row.register(Register(number)) {
            // The ABI's rule for registers without one: the function has not changed them.
            None | Some(RegisterRule::SameValue) => state.register(number),
            Some(RegisterRule::Undefined) if is_return_address => {
                return Err(StackStop::EndOfStack);
            }
            Some(RegisterRule::Offset(offset)) => match state.word(offset_from(cfa, offset)?) {
                Ok(value) => Some(value),
                Err(stop) if is_return_address => return Err(stop),
                Err(_) => None,
            },
            Some(RegisterRule::ValOffset(offset)) => Some(offset_from(cfa, offset)?),
            Some(RegisterRule::Register(other)) => state.register(other.0),
            Some(_) => None,
        };
        next.set(number, value);
    }
    let pc = next.register(return_address);
    next.pc = pc.ok_or(StackStop::UnknownRegister)?;
    next.set(machine.stack_pointer, Some(cfa));
    Ok(next)
}
