//! The table of an export's signals.

use super::signal::{Signal, SignalSelection, SignalText};
use super::signal_plan::{RecordingSignals, SignalBuilder};
use rtoscope_analysis::AnalyzedRecording;

/// The signals of all recordings, one recording after the other.
#[derive(Debug)]
pub(crate) struct SignalTable {
    pub(crate) signals: Vec<Signal>,
    /// The texts that [`SignalValue::Text`](super::SignalValue::Text) refers to.
    pub(crate) texts: Vec<SignalText>,
    /// The signals of each recording.
    pub(super) plans: Vec<RecordingSignals>,
}

impl SignalTable {
    /// Creates the table of the selected signals of recordings.
    pub(crate) fn new(sources: &[&AnalyzedRecording], selection: SignalSelection) -> Self {
        let mut builder = SignalBuilder::new(selection);
        let plans = sources.iter().enumerate();
        let plans = plans.map(|(place, source)| builder.add_recording(place, source));
        let plans = plans.collect();
        Self {
            signals: builder.signals,
            texts: builder.texts,
            plans,
        }
    }
}
