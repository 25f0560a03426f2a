//! A recording as exports see it.

use rtoscope_analysis::View;
use rtoscope_analysis::levels::LevelHistories;

/// A recording with everything that is known of it.
#[derive(Debug, Clone, Copy)]
pub struct TableSource<'a> {
    /// Its name for people: the file's.
    pub name: &'a str,
    /// What identifies it among the recordings of a dataset.
    pub recording_id: &'a str,
    /// What its format is called: `threadx`, `rkh` or `cswitch`.
    pub format: &'a str,
    /// The trace and its analysis, in the scope of the whole trace.
    pub view: View<'a>,
    /// How full its objects were, every change.
    pub histories: &'a LevelHistories,
}
