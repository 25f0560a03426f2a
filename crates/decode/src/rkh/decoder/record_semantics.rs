//! The meanings of a stream's records, according to what is known so far.

use crate::rkh::active_object_contexts::ActiveObjectContexts;
use crate::rkh::attribution::AttributionContext;
use crate::rkh::catalogue::from_runs;
use crate::rkh::kind_semantics::SemanticsTable;
use crate::rkh::stream_info::StreamRun;
use crate::rkh::survey::{SurveyedObject, TargetSurvey};
use rtoscope_wire::rkh::StreamConfiguration;
use std::sync::{Arc, Mutex, PoisonError};

/// How records are read, and to which contexts they belong.
pub(super) struct RecordSemantics {
    configurations: Vec<StreamConfiguration>,
    active_objects: Vec<SurveyedObject>,
    pub(super) kind_semantics: SemanticsTable,
    contexts: ActiveObjectContexts,
    records_step_ends: bool,
}

impl RecordSemantics {
    pub(super) fn new(runs: &[StreamRun], survey: &TargetSurvey) -> Self {
        Self {
            configurations: distinct_configurations(runs).collect(),
            active_objects: survey.active_objects.clone(),
            kind_semantics: SemanticsTable::from_catalogue(&from_runs(runs)),
            contexts: ActiveObjectContexts::new(&survey.active_objects, |_| None).1,
            records_step_ends: survey.records_step_ends,
        }
    }

    /// Updates the semantics if these runs or the survey change them.
    pub(super) fn update(this: &mut Arc<Self>, runs: &[StreamRun], survey: &TargetSurvey) {
        let is_current = distinct_configurations(runs).eq(this.configurations.iter().copied())
            && this.active_objects == survey.active_objects
            && this.records_step_ends == survey.records_step_ends;
        if !is_current {
            *this = Arc::new(Self::new(runs, survey));
        }
    }

    pub(super) fn attribution_context(&self) -> AttributionContext<'_> {
        AttributionContext {
            kind_semantics: &self.kind_semantics,
            objects: &self.contexts,
            records_step_ends: self.records_step_ends,
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
