use super::control::TraceControl;
use super::{EventGroups, ThreadXRecorder, TraceStatus, Ulong, WordWidth};
use crate::port::{Clock, Mask};
use core::ptr::null_mut;

/// A recorded event with an information field whose value is not known yet, for
/// [`ThreadXRecorder::complete_field`].
#[derive(Debug, Clone, Copy)]
#[must_use = "the event lacks its result"]
pub struct PendingField<W = Ulong> {
    /// The field; null if nothing was recorded.
    pub(super) field: *mut W,
    /// The lap in which the event was written.
    pub(super) lap: u32,
}

impl<W> PendingField<W> {
    pub(super) const NONE: Self = Self {
        field: null_mut(),
        lap: 0,
    };
}

impl<M: Mask, C: Clock, W: WordWidth> ThreadXRecorder<M, C, W> {
    /// Records an event with any number if one of its groups is recorded.
    ///
    /// If none is, the call costs a load, a test and a branch.
    #[inline(always)]
    pub fn insert(&self, groups: EventGroups, id: u32, info: [W; 4]) {
        if self.control.records(groups) {
            let [first, second, third, fourth] = info;
            self.record(first, second, third, fourth, id);
        }
    }

    /// As [`ThreadXRecorder::insert`], for a caller that has found that the event is
    /// recorded.
    #[inline(always)]
    pub fn insert_unfiltered(&self, id: u32, info: [W; 4]) {
        self.with_control(|control| control.write_event(self.timestamp(), id, info));
    }

    /// As [`ThreadXRecorder::insert`].
    ///
    /// # Errors
    /// [`TraceStatus::NotDone`] if the recorder is not enabled. A filtered event is not
    /// an error.
    #[inline(always)]
    pub fn try_insert(
        &self,
        groups: EventGroups,
        id: u32,
        info: [W; 4],
    ) -> Result<(), TraceStatus> {
        if self.control.records(groups) {
            self.insert_unfiltered(id, info);
            Ok(())
        } else {
            self.with_control(TraceControl::check_on)
        }
    }

    /// Records an event of the application (`tx_trace_user_event_insert`) if
    /// [`EventGroups::USER`] is recorded.
    ///
    /// Numbers from 4096 to 65535 are reserved for applications. As in ThreadX, any other
    /// number is recorded too and may look like an event of the kernel.
    #[inline(always)]
    pub fn user_event(&self, id: u32, info: [W; 4]) {
        if self.control.records(EventGroups::USER) {
            let [first, second, third, fourth] = info;
            self.record_user(id, first, second, third, fourth);
        }
    }

    /// As [`ThreadXRecorder::user_event`], with ThreadX's status.
    ///
    /// # Errors
    /// As [`ThreadXRecorder::try_insert`].
    #[inline(always)]
    pub fn try_user_event(&self, id: u32, info: [W; 4]) -> Result<(), TraceStatus> {
        self.try_insert(EventGroups::USER, id, info)
    }

    /// Writes the pending information field of an event. Does nothing if the event was
    /// not recorded or has been overwritten since.
    pub fn complete_field(&self, pending: PendingField<W>, value: W) {
        if !pending.field.is_null() {
            self.with_control(|control| control.write_field(&pending, value));
        }
    }

    /// The code that all events share, kept out of line. The number comes last, because
    /// this moves the fewest of a caller's arguments.
    #[inline(never)]
    fn record(&self, first: W, second: W, third: W, fourth: W, id: u32) {
        self.with_control(|control| {
            control.write_event(self.timestamp(), id, [first, second, third, fourth]);
        });
    }

    /// As `record`, with the arguments in the order in which C functions pass them.
    #[inline(never)]
    fn record_user(&self, id: u32, first: W, second: W, third: W, fourth: W) {
        self.with_control(|control| {
            control.write_event(self.timestamp(), id, [first, second, third, fourth]);
        });
    }

    /// As [`ThreadXRecorder::insert`], for an event with a pending field.
    #[inline(always)]
    pub(super) fn insert_pending(
        &self,
        groups: EventGroups,
        id: u32,
        info: [W; 4],
        field: usize,
    ) -> PendingField<W> {
        if self.control.records(groups) {
            self.record_pending(id, &info, field)
        } else {
            PendingField::NONE
        }
    }

    #[inline(never)]
    fn record_pending(&self, id: u32, info: &[W; 4], field: usize) -> PendingField<W> {
        self.with_control(|control| control.write_pending(self.timestamp(), id, *info, field))
    }
}
