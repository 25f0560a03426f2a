//! Sources of tables.

use rtoscope_analysis::View;
use rtoscope_analysis::levels::LevelHistories;

/// A recording with its analysis.
#[derive(Debug, Clone, Copy)]
pub struct TableSource<'a> {
    /// The name shown to users: the file's.
    pub name: &'a str,
    /// Identifies the recording within a dataset.
    pub recording_id: &'a str,
    /// The id of the format.
    pub format: &'a str,
    /// The format's name for people.
    pub format_title: &'a str,
    /// The trace and its analysis, in the scope of the whole trace.
    pub view: View<'a>,
    /// Every change of the level of its objects.
    pub histories: &'a LevelHistories,
}
