use super::SwitchLog;

/// Returns the number of the core that runs the caller, counted from 0. Functions that
/// return a number implement it.
pub trait CurrentCore {
    /// The core's number.
    fn core_number(&self) -> usize;
}

impl<F: Fn() -> usize> CurrentCore for F {
    #[inline(always)]
    fn core_number(&self) -> usize {
        self()
    }
}

/// A log for each of `N` consecutive cores: all cores of a chip, or only one
/// ([`SingleCoreLog`]). Each log has its own mask and counter, so that no core waits for
/// another.
pub struct PerCoreLogs<I, M, C, const N: usize> {
    first_core: usize,
    current_core: I,
    logs: [SwitchLog<M, C>; N],
}

/// The log of one chosen core; the other cores record nothing.
pub type SingleCoreLog<I, M, C> = PerCoreLogs<I, M, C, 1>;

impl<I, M, C, const N: usize> PerCoreLogs<I, M, C, N> {
    /// Creates logs for the cores from number `first` on.
    pub const fn new(first: usize, current: I, logs: [SwitchLog<M, C>; N]) -> Self {
        Self {
            first_core: first,
            current_core: current,
            logs,
        }
    }

    /// The log of a core.
    #[inline(always)]
    pub fn log(&self, number: usize) -> Option<&SwitchLog<M, C>> {
        self.logs.get(number.wrapping_sub(self.first_core))
    }

    /// All logs with the numbers of their cores.
    pub fn logs(&self) -> impl Iterator<Item = (usize, &SwitchLog<M, C>)> {
        (self.first_core..).zip(&self.logs)
    }
}

impl<I: CurrentCore, M, C, const N: usize> PerCoreLogs<I, M, C, N> {
    /// The log of the core that runs the caller, if it has one.
    #[inline(always)]
    pub fn current_log(&self) -> Option<&SwitchLog<M, C>> {
        self.log(self.current_core.core_number())
    }
}
