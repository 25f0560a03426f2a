/// The name of a thread or handler: the address of text that ends with a NUL
/// and stays where it is. Recording a name is recording this address.
///
/// Made by [`name!`](crate::name!). Nothing reads the text but the writers of
/// files, and those only inside memory that they were told is readable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Name(*const u8);

impl Name {
    /// No name.
    pub const NONE: Self = Self(core::ptr::null());

    /// What interrupt handlers carry in a context-switch log: `ISR`.
    pub const ISR: Self = crate::name!("ISR");

    /// The name whose text begins at `text`, as a C program gives it.
    pub const fn from_ptr(text: *const u8) -> Self {
        Self(text)
    }

    /// The name that `text` holds, up to its first NUL; [`None`] if it has no
    /// NUL.
    pub fn from_nul_terminated(text: &'static str) -> Option<Self> {
        text.as_bytes().contains(&0).then_some(Self(text.as_ptr()))
    }

    /// Where the text begins.
    pub const fn as_ptr(self) -> *const u8 {
        self.0
    }
}

// SAFETY: an address; no safe code reads through it.
unsafe impl Send for Name {}
// SAFETY: as above.
unsafe impl Sync for Name {}

/// The [`Name`] of a literal: `name!("worker")`. Usable in constants.
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
    fn text_without_an_end_is_no_name() {
        assert_eq!(Name::from_nul_terminated("worker"), None);
        let text = "worker\0";
        assert_eq!(
            Name::from_nul_terminated(text),
            Some(Name::from_ptr(text.as_ptr()))
        );
    }
}
