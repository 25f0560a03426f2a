//! The types of objects that a format's registry distinguishes.

use rtoscope_trace::ObjectClass;

/// The types of objects in a registry that targets keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryTypes {
    /// Where the target's source differs from its manual for all types.
    pub difference: &'static str,
    /// The types, by number.
    pub types: Vec<RegistryType>,
}

/// A type of objects in a registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegistryType {
    /// Its number in the registry.
    pub number: u8,
    /// The class of its objects.
    pub class: ObjectClass,
    /// Where the target's source, which rtoscope follows, differs from the manual.
    pub difference: Option<&'static str>,
}
