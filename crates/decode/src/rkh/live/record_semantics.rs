//! The meanings of a stream's records, according to what is known so far.

use crate::rkh::active_object_contexts::ActiveObjectContexts;
use crate::rkh::attribution::AttributionContext;
use crate::rkh::catalogue::from_runs;
use crate::rkh::kind_semantics::SemanticsTable;
use crate::rkh::stream_info::StreamRun;
use crate::rkh::survey::TargetSurvey;
use rtoscope_wire::rkh::StreamConfiguration;
use std::sync::{Arc, Mutex, PoisonError};

/// How records are read, and to which contexts they belong.
pub(super) struct RecordSemantics {
    configurations: Vec<StreamConfiguration>,
    pub(super) kind_semantics: Arc<SemanticsTable>,
    objects: ActiveObjectContexts,
    records_step_ends: bool,
}

impl RecordSemantics {
    pub(super) fn new(runs: &[StreamRun], survey: &TargetSurvey) -> Self {
        Self::from_parts(
            Arc::new(SemanticsTable::from_catalogue(&from_runs(runs))),
            runs,
            survey,
        )
    }

    /// Updates the semantics. With the same configurations, record kinds have
    /// the same meanings.
    pub(super) fn updated(&self, runs: &[StreamRun], survey: &TargetSurvey) -> Self {
        match self.is_for_runs(runs) {
            true => Self::from_parts(self.kind_semantics.clone(), runs, survey),
            false => Self::new(runs, survey),
        }
    }

    fn from_parts(
        semantics: Arc<SemanticsTable>,
        runs: &[StreamRun],
        survey: &TargetSurvey,
    ) -> Self {
        Self {
            configurations: distinct_configurations(runs).collect(),
            kind_semantics: semantics,
            objects: ActiveObjectContexts::new(&survey.active_objects, |_| None).1,
            records_step_ends: survey.records_step_ends,
        }
    }

    /// Whether it applies to these runs.
    pub(super) fn is_for_runs(&self, runs: &[StreamRun]) -> bool {
        distinct_configurations(runs).eq(self.configurations.iter().copied())
    }

    pub(super) fn attribution_context(&self) -> AttributionContext<'_> {
        AttributionContext {
            kind_semantics: &self.kind_semantics,
            objects: &self.objects,
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

    /// Merges a survey; returns whether it contained anything new.
    pub(super) fn merge(&self, found: TargetSurvey) -> bool {
        let mut survey = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if survey.is_full() || survey.contains(&found) {
            return false;
        }
        Arc::make_mut(&mut survey).merge(found);
        true
    }
}
