//! Ports for which there is assembly.

/// Identifies the ports of this crate. The type is private to the crate, so that no other
/// type can claim to be one of them.
#[derive(Debug, Clone, Copy)]
pub enum BuiltinPort {
    /// `Primask`
    Primask,
    /// `Unmasked`
    Unmasked,
    /// `Register`
    CounterRegister,
}
