//! The signals that the framework keeps for itself.

use super::Width;

/// A signal that the framework keeps for itself; every other is the application's.
///
/// Source: `source/fwk/inc/rkhitl.h`. RKH 2.4.05 added the second and 3.1.0 the
/// third; before, such numbers are the application's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reserved {
    /// Any signal (`RKH_ANY`): all ones.
    Any,
    /// A state's behaviour has completed (`RKH_COMPLETION_EVENT`): all ones less 1.
    Completion,
    /// A state machine is created (`RKH_SM_CREATION_EVENT`): all ones less 2.
    Creation,
}

impl Reserved {
    /// All of them, the highest number first.
    pub const ALL: [Self; 3] = [Self::Any, Self::Completion, Self::Creation];

    /// Which reserved signal a number is where signals have that width; `None`
    /// if it is the application's.
    pub fn of(signal: u32, width: Width) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|reserved| reserved.number(width) == signal)
    }

    /// The signal's number where signals have that width.
    pub const fn number(self, width: Width) -> u32 {
        width.max() - self as u32
    }

    /// Name: `any`, `completion` or `creation`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Completion => "completion",
            Self::Creation => "creation",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_depend_on_the_width() {
        assert_eq!(Reserved::Any.number(Width::One), 0xFF);
        assert_eq!(Reserved::Completion.number(Width::Two), 0xFFFE);
        assert_eq!(Reserved::Creation.number(Width::Four), 0xFFFF_FFFD);
        assert_eq!(Reserved::of(0xFE, Width::One), Some(Reserved::Completion));
        assert_eq!(Reserved::of(0xFE, Width::Two), None);
        assert_eq!(Reserved::of(0xFC, Width::One), None);
    }
}
