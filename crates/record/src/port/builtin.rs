//! Ports for which some things are written by hand.

/// Which of this crate's own ports a type is. Nobody else can name it, so that no
/// other type can pass for one.
#[derive(Debug, Clone, Copy)]
pub enum BuiltinPort {
    /// `Primask`
    Primask,
    /// `Unmasked`
    Unmasked,
    /// `Register`
    CounterRegister,
}
