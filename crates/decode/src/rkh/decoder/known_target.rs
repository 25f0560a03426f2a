//! What is known of the target of a live stream.

use crate::rkh::catalogue::from_runs;
use crate::rkh::kind_semantics::SemanticsTable;
use crate::rkh::stream_info::StreamRun;
use crate::rkh::survey::TargetSurvey;
use rtoscope_wire::rkh::StreamConfiguration;
use std::sync::{Arc, Mutex, PoisonError};

/// The meanings of kinds in runs of records.
pub(super) struct KnownKinds {
    configurations: Vec<StreamConfiguration>,
    pub(super) semantics: Arc<SemanticsTable>,
}

impl KnownKinds {
    pub(super) fn new(runs: &[StreamRun]) -> Self {
        Self {
            configurations: distinct_configurations(runs).collect(),
            semantics: Arc::new(SemanticsTable::from_catalogue(&from_runs(runs))),
        }
    }

    /// Updates the meanings if these runs change them.
    pub(super) fn update(&mut self, runs: &[StreamRun]) {
        if !distinct_configurations(runs).eq(self.configurations.iter().copied()) {
            *self = Self::new(runs);
        }
    }
}

/// The configurations without consecutive duplicates.
fn distinct_configurations(runs: &[StreamRun]) -> impl Iterator<Item = StreamConfiguration> + '_ {
    let mut before = None;
    let all = runs.iter().map(|run| run.configuration);
    all.filter(move |configuration| before.replace(*configuration) != Some(*configuration))
}

/// The survey of the target, shared by a stream and its checkpoints: later
/// information applies to earlier records as well.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedSurvey(Arc<Mutex<Arc<TargetSurvey>>>);

impl SharedSurvey {
    pub(super) fn new(survey: Arc<TargetSurvey>) -> Self {
        Self(Arc::new(Mutex::new(survey)))
    }

    /// The current survey.
    pub(super) fn current(&self) -> Arc<TargetSurvey> {
        let survey = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        survey.clone()
    }

    /// Adds to the survey, unless it has more than any real target.
    pub(super) fn update(&self, add: impl FnOnce(&mut TargetSurvey)) {
        let mut survey = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !survey.is_full() {
            add(Arc::make_mut(&mut survey));
        }
    }
}
