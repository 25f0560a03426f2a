//! The progress of an export.

/// Gets the number of events written since the last call. Calls more often than 100
/// times per second are pointless.
pub type Progress<'p> = dyn FnMut(u64) + 'p;
