//! The signals that the framework reserves.

use super::FieldWidth;

/// A signal that the framework reserves; all others belong to the application.
///
/// Source: `source/fwk/inc/rkhitl.h`. RKH 2.4.05 added the second and 3.1.0 the third; in
/// earlier versions these numbers belong to the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReservedSignal {
    /// Any signal (`RKH_ANY`): all ones.
    Any,
    /// A state's behaviour has completed (`RKH_COMPLETION_EVENT`): all ones minus 1.
    Completion,
    /// A state machine is created (`RKH_SM_CREATION_EVENT`): all ones minus 2.
    Creation,
}

impl ReservedSignal {
    /// All reserved signals, the highest number first.
    pub const ALL: [Self; 3] = [Self::Any, Self::Completion, Self::Creation];

    /// The reserved signal with this number, where signals have this width; `None` if it
    /// belongs to the application.
    pub fn from_number(signal: u32, width: FieldWidth) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|reserved| reserved.number(width) == signal)
    }

    /// The signal's number, where signals have this width.
    pub const fn number(self, width: FieldWidth) -> u32 {
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
        assert_eq!(ReservedSignal::Any.number(FieldWidth::One), 0xFF);
        assert_eq!(ReservedSignal::Completion.number(FieldWidth::Two), 0xFFFE);
        assert_eq!(
            ReservedSignal::Creation.number(FieldWidth::Four),
            0xFFFF_FFFD
        );
        assert_eq!(
            ReservedSignal::from_number(0xFE, FieldWidth::One),
            Some(ReservedSignal::Completion)
        );
        assert_eq!(ReservedSignal::from_number(0xFE, FieldWidth::Two), None);
        assert_eq!(ReservedSignal::from_number(0xFC, FieldWidth::One), None);
    }
}
