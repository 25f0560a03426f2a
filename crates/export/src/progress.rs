//! How far an export has come.

/// Is told now and then how many events were written since the last time; more
/// often than 100 times a second helps nobody.
pub type Progress<'p> = dyn FnMut(u64) + 'p;
