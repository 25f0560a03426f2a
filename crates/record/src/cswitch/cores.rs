use super::Log;

/// Says which core runs the code that asks, counted from 0. Functions that
/// return a number do.
pub trait CurrentCore {
    /// The core's number.
    fn number(&self) -> usize;
}

impl<F: Fn() -> usize> CurrentCore for F {
    #[inline(always)]
    fn number(&self) -> usize {
        self()
    }
}

/// A log for each of `N` cores that follow one another: all of a chip's, or
/// only one ([`OnCore`]). Each log has its own mask and counter, so no core
/// waits for another.
pub struct PerCore<I, M, C, const N: usize> {
    first: usize,
    current: I,
    logs: [Log<M, C>; N],
}

/// The log of one chosen core; the others leave no entries.
pub type OnCore<I, M, C> = PerCore<I, M, C, 1>;

impl<I, M, C, const N: usize> PerCore<I, M, C, N> {
    /// Logs for the cores from number `first` on.
    pub const fn new(first: usize, current: I, logs: [Log<M, C>; N]) -> Self {
        Self {
            first,
            current,
            logs,
        }
    }

    /// The log of that core.
    #[inline(always)]
    pub fn core(&self, number: usize) -> Option<&Log<M, C>> {
        self.logs.get(number.wrapping_sub(self.first))
    }

    /// Every log with the number of its core.
    pub fn logs(&self) -> impl Iterator<Item = (usize, &Log<M, C>)> {
        (self.first..).zip(&self.logs)
    }
}

impl<I: CurrentCore, M, C, const N: usize> PerCore<I, M, C, N> {
    /// The log of the core that runs this, if it has one.
    #[inline(always)]
    pub fn here(&self) -> Option<&Log<M, C>> {
        self.core(self.current.number())
    }
}
