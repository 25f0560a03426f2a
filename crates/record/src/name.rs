/// The name of a thread or handler: the address of NUL-terminated text that never moves.
/// Recording a name means recording this address.
///
/// Create it with [`name!`](crate::name!). Only writers of files read the text, and only
/// within the memory that was declared readable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Name(*const u8);

impl Name {
    /// No name.
    pub const NONE: Self = Self(core::ptr::null());

    /// The name of interrupt handlers in a context-switch log: `ISR`.
    pub const ISR: Self = crate::name!("ISR");

    /// The name with its text at `text`, as passed by a C program.
    pub const fn from_ptr(text: *const u8) -> Self {
        Self(text)
    }

    /// The name in `text` up to its first NUL; [`None`] without a NUL.
    pub fn from_nul_terminated(text: &'static str) -> Option<Self> {
        text.as_bytes().contains(&0).then_some(Self(text.as_ptr()))
    }

    /// Address of the text.
    pub const fn as_ptr(self) -> *const u8 {
        self.0
    }
}

// SAFETY: it is only an address; no safe code reads through it.
unsafe impl Send for Name {}
// SAFETY: as above.
unsafe impl Sync for Name {}

/// The [`Name`] of a literal: `name!("worker")`. It can be used in constants.
#[macro_export]
macro_rules! name {
    ($text:literal) => {
        $crate::Name::from_ptr(::core::concat!($text, "\0").as_ptr())
    };
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn text_without_a_nul_is_not_a_name() {
        assert_eq!(Name::from_nul_terminated("worker"), None);
        let text = "worker\0";
        assert_eq!(
            Name::from_nul_terminated(text),
            Some(Name::from_ptr(text.as_ptr()))
        );
    }
}
