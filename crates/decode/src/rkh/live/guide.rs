//! What the records of a stream mean, by what is known so far.

use crate::rkh::actors::Objects;
use crate::rkh::catalogue::of_runs;
use crate::rkh::role::Senses;
use crate::rkh::stream::Run;
use crate::rkh::survey::Survey;
use crate::rkh::who::Known;
use rtoscope_wire::rkh::Configuration;
use std::sync::{Arc, Mutex, PoisonError};

/// How records are read and whose they are.
pub(super) struct Guide {
    configurations: Vec<Configuration>,
    pub(super) senses: Arc<Senses>,
    objects: Objects,
    tells_ends: bool,
}

impl Guide {
    pub(super) fn new(runs: &[Run], survey: &Survey) -> Self {
        Self::with(Arc::new(Senses::of(&of_runs(runs))), runs, survey)
    }

    /// With what is known now. Of the same configurations the records mean the
    /// same.
    pub(super) fn renewed(&self, runs: &[Run], survey: &Survey) -> Self {
        match self.is_of(runs) {
            true => Self::with(self.senses.clone(), runs, survey),
            false => Self::new(runs, survey),
        }
    }

    fn with(senses: Arc<Senses>, runs: &[Run], survey: &Survey) -> Self {
        Self {
            configurations: configurations(runs).collect(),
            senses,
            objects: Objects::new(&survey.active, |_| None).1,
            tells_ends: survey.tells_ends,
        }
    }

    /// Whether it is for these runs.
    pub(super) fn is_of(&self, runs: &[Run]) -> bool {
        configurations(runs).eq(self.configurations.iter().copied())
    }

    pub(super) fn known(&self) -> Known<'_> {
        Known {
            senses: &self.senses,
            objects: &self.objects,
            tells_ends: self.tells_ends,
        }
    }
}

/// Those that differ from the one before.
fn configurations(runs: &[Run]) -> impl Iterator<Item = Configuration> + '_ {
    let mut before = None;
    let all = runs.iter().map(|run| run.configuration);
    all.filter(move |configuration| before.replace(*configuration) != Some(*configuration))
}

/// What is known of the target, shared by a stream and its marks: what was told
/// later is true of earlier records as well.
#[derive(Debug, Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Arc<Survey>>>);

impl Shared {
    pub(super) fn new(survey: Arc<Survey>) -> Self {
        Self(Arc::new(Mutex::new(survey)))
    }

    /// What is known now.
    pub(super) fn now(&self) -> Arc<Survey> {
        let survey = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        survey.clone()
    }

    /// Learns what was found, and says whether it is new.
    pub(super) fn learn(&self, found: Survey) -> bool {
        let mut survey = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if survey.is_full() || survey.knows(&found) {
            return false;
        }
        Arc::make_mut(&mut survey).add(found);
        true
    }
}
