use rtoscope_wire::cswitch::EntryKind;
use rtoscope_wire::cswitch::command::EntryGroup;

/// Maximum number of markers that can be suppressed one by one.
pub const MAX_MARKER_FILTERS: usize = 8;

/// The entries that are skipped when the stream is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct StreamFilter {
    /// The sum of the suppressed groups.
    pub(super) groups: u32,
    markers: [u32; MAX_MARKER_FILTERS],
    marker_count: usize,
    /// The suppressed handlers, one bit each.
    handlers: [u32; 8],
}

impl StreamFilter {
    pub(super) const fn new() -> Self {
        Self {
            groups: 0,
            markers: [0; MAX_MARKER_FILTERS],
            marker_count: 0,
            handlers: [0; 8],
        }
    }

    /// Suppresses a sum of groups, or no longer does. Returns whether that is a change.
    pub(super) fn set_groups(&mut self, groups: u32, suppress: bool) -> bool {
        let known = EntryGroup::ALL
            .iter()
            .fold(0, |sum, group| sum | group.bit());
        let groups = if suppress {
            self.groups | (groups & known)
        } else {
            self.groups & !groups
        };
        core::mem::replace(&mut self.groups, groups) != groups
    }

    /// Suppresses a marker, or no longer does. Returns `false` if there is no room for it.
    pub(super) fn set_marker(&mut self, marker: u32, suppress: bool) -> bool {
        let last = self.marker_count.wrapping_sub(1);
        match (self.marker_index(marker), suppress) {
            (Some(_), true) | (None, false) => true,
            (Some(index), false) => {
                let moved = self.markers.get(last).copied().unwrap_or(0);
                if let Some(place) = self.markers.get_mut(index) {
                    *place = moved;
                    self.marker_count = last;
                }
                true
            }
            (None, true) => match self.markers.get_mut(self.marker_count) {
                Some(place) => {
                    *place = marker;
                    self.marker_count = self.marker_count.wrapping_add(1);
                    true
                }
                None => false,
            },
        }
    }

    /// Suppresses an interrupt handler, or no longer does.
    pub(super) fn set_handler(&mut self, handler: u8, suppress: bool) {
        if let Some(word) = self.handlers.get_mut(usize::from(handler >> 5)) {
            let bit = 1 << (handler & 31);
            *word = if suppress { *word | bit } else { *word & !bit };
        }
    }

    fn suppresses_handler(&self, handler: u32) -> bool {
        let word = self.handlers.get((handler >> 5) as usize);
        word.map_or(false, |word| word >> (handler & 31) & 1 != 0)
    }

    fn marker_index(&self, marker: u32) -> Option<usize> {
        let mut markers = self.markers.iter().take(self.marker_count);
        markers.position(|suppressed| *suppressed == marker)
    }

    /// Whether anything is suppressed.
    pub(super) fn has_any(&self) -> bool {
        self.groups != 0 || self.marker_count != 0 || self.handlers.iter().any(|word| *word != 0)
    }

    /// Whether an entry is suppressed.
    pub(super) fn suppresses(&self, kind: u32, operand: u32) -> bool {
        let has = |group: EntryGroup| self.groups & group.bit() != 0;
        match EntryKind::from_number(kind) {
            Some(EntryKind::IsrReturn) => has(EntryGroup::Interrupts),
            Some(EntryKind::IsrEnter | EntryKind::IsrExit) => {
                has(EntryGroup::Interrupts) || self.suppresses_handler(operand)
            }
            Some(EntryKind::Ready | EntryKind::Wait) => has(EntryGroup::Readiness),
            Some(EntryKind::MarkerBegin | EntryKind::MarkerEnd | EntryKind::MarkerInstant) => {
                has(EntryGroup::Markers) || self.marker_index(operand).is_some()
            }
            _ => false,
        }
    }
}
