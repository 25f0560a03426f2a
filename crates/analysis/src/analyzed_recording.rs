//! A recording and everything that is computed from its trace before any
//! report.

use crate::active::ActiveObjects;
use crate::deadlines::Deadline;
use crate::hardware::HardwareActivity;
use crate::intervals::DeclaredIntervals;
use crate::levels::{LevelHistories, Levels};
use crate::markers::Markers;
use crate::pipelines::Pipeline;
use crate::report::CpuTimes;
use crate::{AnalysisBuilder, EventCounts, Schedule, Scope, View};
use rtoscope_trace::unit_test::RecordedTests;
use rtoscope_trace::{
    Diagnostics, Progress, ProgressPhase, Statistic, TextLog, Trace, TraceFormat,
};
use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

/// A recording and its [analysis](Analysis), to which it dereferences. It is analysed when that
/// is first used.
pub struct AnalyzedRecording {
    /// Its name and format.
    pub info: RecordingInfo,
    /// Its trace.
    pub trace: Trace,
    /// The text logs beside it, if any were added.
    pub text_logs: Vec<TextLog>,
    analysis: OnceLock<Analysis>,
    /// Computes the analysis.
    analyze: Option<Analyze>,
}

/// Analyses the trace of a recording, and reports the progress.
type Analyze = Box<dyn Fn(&Trace, &Progress) -> Analysis + Send + Sync>;

/// What is computed from a trace before any report.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The schedule.
    pub schedule: Schedule,
    /// The active objects.
    pub active: ActiveObjects,
    /// The points of interest.
    pub markers: Markers,
    /// Declared hardware and slots, if declarations were applied.
    pub hardware: HardwareActivity,
    /// Declared deadlines, if declarations were applied.
    pub deadlines: Vec<Deadline>,
    /// Declared pipelines, if declarations were applied.
    pub pipelines: Vec<Pipeline>,
    /// Declared intervals, if any were added.
    pub intervals: Vec<DeclaredIntervals>,
    /// The unit tests that it contains, if any. A live analysis does not look for them.
    pub unit_tests: Option<RecordedTests>,
    /// Every change of the level of an object.
    pub level_histories: LevelHistories,
    /// The statistics of the whole trace.
    pub whole: ScopeStats,
    /// The diagnostics of the trace, then those of the analysis.
    pub diagnostics: Diagnostics,
}

/// The name and format of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordingInfo {
    /// The name shown to users: the file's.
    pub name: String,
    /// Identifies the recording within a dataset.
    pub id: String,
    /// The name of its format.
    pub format: &'static str,
    /// The format's name for people.
    pub format_title: &'static str,
    /// The statistics that the target's components report.
    pub statistics: &'static [Statistic],
}

/// What depends on the scope of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct ScopeStats {
    /// The scope.
    pub scope: Scope,
    /// The event counts of the scope.
    pub event_counts: EventCounts,
    /// The levels of the objects in the scope.
    pub levels: Levels,
    /// The CPU times in the scope.
    pub cpu_times: CpuTimes,
}

/// Number of events after which the progress is reported: few enough that it moves,
/// many enough that the threads of the analysis rarely wait for each other.
const EVENTS_PER_STEP: usize = 1 << 20;

impl RecordingInfo {
    /// Creates the properties of a recording in a format.
    pub fn new(name: impl Into<String>, id: impl Into<String>, format: &impl TraceFormat) -> Self {
        Self {
            name: name.into(),
            id: id.into(),
            format: format.name(),
            format_title: format.title(),
            statistics: format.statistics(),
        }
    }
}

impl AnalyzedRecording {
    /// A recording that is analysed when its analysis is first used. `name` is the name of its
    /// file, `id` identifies it within a dataset.
    pub fn new<F>(name: impl Into<String>, id: impl Into<String>, trace: Trace, format: &F) -> Self
    where
        F: TraceFormat + Clone + Send + Sync + 'static,
    {
        let info = RecordingInfo::new(name, id, format);
        let format = format.clone();
        let analyze =
            move |trace: &Trace, progress: &Progress| Analysis::of(trace, &format, progress);
        Self {
            info,
            trace,
            text_logs: Vec::new(),
            analysis: OnceLock::new(),
            analyze: Some(Box::new(analyze)),
        }
    }

    /// A recording with its analysis.
    pub fn from_analysis(info: RecordingInfo, trace: Trace, analysis: Analysis) -> Self {
        Self {
            info,
            trace,
            text_logs: Vec::new(),
            analysis: OnceLock::from(analysis),
            analyze: None,
        }
    }

    /// Analyses the recording, if that was not done, and reports the events and the progress.
    pub fn analyze(&self, progress: &Progress) -> &Analysis {
        self.analysis.get_or_init(|| match &self.analyze {
            Some(analyze) => analyze(&self.trace, progress),
            None => unreachable!("the analysis was given"),
        })
    }

    /// The whole trace as the input of reports.
    pub fn view(&self) -> View<'_> {
        self.view_of(&self.whole)
    }

    /// A scope of the trace as the input of reports; `stats` are
    /// [those](Self::scope_stats) of the scope.
    pub fn view_of<'a>(&'a self, stats: &'a ScopeStats) -> View<'a> {
        View {
            trace: &self.trace,
            schedule: &self.schedule,
            active: &self.active,
            markers: &self.markers,
            hardware: &self.hardware,
            deadlines: &self.deadlines,
            pipelines: &self.pipelines,
            intervals: &self.intervals,
            event_counts: &stats.event_counts,
            levels: &stats.levels,
            level_histories: &self.level_histories,
            cpu_times: &stats.cpu_times,
            statistics: self.info.statistics,
            scope: &stats.scope,
            diagnostics: &self.diagnostics,
        }
    }

    /// The statistics of a scope.
    pub fn scope_stats(&self, scope: Scope) -> Cow<'_, ScopeStats> {
        if scope == self.whole.scope {
            return Cow::Borrowed(&self.whole);
        }
        Cow::Owned(ScopeStats {
            event_counts: EventCounts::from_trace(&self.trace, &scope),
            levels: Levels::in_scope(&self.trace, &self.level_histories, &scope),
            cpu_times: CpuTimes::from_schedule(&self.schedule, &scope),
            scope,
        })
    }
}

impl fmt::Debug for AnalyzedRecording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("AnalyzedRecording");
        shown.field("info", &self.info).finish_non_exhaustive()
    }
}

impl Deref for AnalyzedRecording {
    type Target = Analysis;

    fn deref(&self) -> &Analysis {
        self.analyze(&Progress::default())
    }
}

impl DerefMut for AnalyzedRecording {
    fn deref_mut(&mut self) -> &mut Analysis {
        self.analyze(&Progress::default());
        match self.analysis.get_mut() {
            Some(analysis) => analysis,
            None => unreachable!("the recording has been analysed"),
        }
    }
}

impl PartialEq for AnalyzedRecording {
    fn eq(&self, other: &Self) -> bool {
        self.info == other.info
            && self.trace == other.trace
            && self.text_logs == other.text_logs
            && **self == **other
    }
}

impl Analysis {
    fn of(trace: &Trace, format: &impl TraceFormat, progress: &Progress) -> Self {
        let events = trace.events.len();
        progress.set_events(&trace.events);
        progress.start(ProgressPhase::Analysis, Some(events as u64));
        let mut builder = AnalysisBuilder::new(trace);
        let mut interpreter = format.interpreter(trace);
        // At least once: objects without events have resources, too.
        for start in (0..events.max(1)).step_by(EVENTS_PER_STEP) {
            let end = events.min(start + EVENTS_PER_STEP);
            builder.push(trace, &mut interpreter, end);
            progress.advance((end - start) as u64);
        }
        let unit_tests = format.recorded_tests(trace);
        let mut analysis = builder.finish(trace);
        analysis.unit_tests = unit_tests.filter(|it| !it.directives.is_empty());
        analysis
    }
}
