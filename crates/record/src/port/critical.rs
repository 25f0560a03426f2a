use super::Mask;
use critical_section::RestoreState;

/// The `critical-section` implementation that the firmware has chosen. On
/// chips with several cores it usually keeps the other cores away, too.
#[derive(Debug, Clone, Copy)]
pub struct CriticalSection;

// SAFETY: that crate promises what this trait asks for, and its sections may
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
        // SAFETY: the state is that of the matching `acquire`, as was promised.
        unsafe { critical_section::release(before) }
    }
}
