use super::Mask;
use critical_section::RestoreState;

/// The firmware's `critical-section` implementation. On chips with several cores, it
/// usually excludes the other cores too.
#[derive(Debug, Clone, Copy)]
pub struct CriticalSection;

// SAFETY: that crate guarantees the requirements of this trait, and its sections may
// nest.
unsafe impl Mask for CriticalSection {
    type State = RestoreState;

    #[inline(always)]
    fn acquire(&self) -> RestoreState {
        // SAFETY: every recorder releases before it returns.
        unsafe { critical_section::acquire() }
    }

    #[inline(always)]
    unsafe fn release(&self, before: RestoreState) {
        // SAFETY: the caller passes the state of the matching `acquire`.
        unsafe { critical_section::release(before) }
    }
}
