//! The tests of a stream while it arrives, and the answers to the target.

use super::recorded::target_order;
use anyhow::bail;
use rtoscope_analysis::expect::{
    LiveTests, RecordAnswer, Spec, SpecError, TargetTests, TestResult,
};
use rtoscope_capture::HostClock;
use rtoscope_decode::live::{LiveDecoder, LiveOptions, LiveUpdate};
use rtoscope_decode::{DecodedRecording, FormatInfo};
use rtoscope_trace::filter::Glob;

/// Decodes a stream and compares it with tests.
pub(super) struct LiveChecks<'s> {
    decoder: LiveDecoder,
    clock: HostClock,
    tests: Tests<'s>,
    /// The tests to report.
    selection: Option<Glob>,
    /// The last part of the stream that had events.
    last: Option<DecodedRecording>,
    /// Damaged frames before that part's end.
    damaged: u64,
    decode_error: Option<String>,
}

/// Tests of a stream.
enum Tests<'s> {
    Spec(LiveTests<'s>),
    /// In the stream itself; `None` until records arrive.
    Target(Option<Box<TargetTests>>),
}

/// What follows from new bytes.
#[derive(Default)]
pub(super) struct Decided {
    /// The results of the tests that they decide.
    pub(super) results: Vec<TestResult>,
    /// The bytes for the target.
    pub(super) answers: Vec<u8>,
}

/// How a stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamEnd {
    /// It is complete: the tests are compared with the whole.
    Complete,
    /// It broke off: open tests are not decided.
    BrokenOff,
}

impl<'s> LiveChecks<'s> {
    /// Creates the checks of a spec, or of the tests in the stream.
    pub(super) fn new(
        options: LiveOptions,
        spec: Option<&'s Spec>,
        selection: Option<Glob>,
    ) -> Self {
        let selects = |name: &str| selection.as_ref().is_none_or(|glob| glob.matches(name));
        Self {
            decoder: LiveDecoder::new(options),
            clock: HostClock::new(),
            tests: match spec {
                Some(spec) => Tests::Spec(LiveTests::new(spec, selects)),
                None => Tests::Target(None),
            },
            selection,
            last: None,
            damaged: 0,
            decode_error: None,
        }
    }

    /// Whether no further byte can change a result.
    pub(super) fn are_all_decided(&self) -> bool {
        match &self.tests {
            Tests::Spec(tests) => tests.undecided() == 0,
            // The target may begin another test.
            Tests::Target(_) => false,
        }
    }

    /// Whether a test began that is not decided.
    pub(super) fn has_open_test(&self) -> bool {
        match &self.tests {
            Tests::Spec(tests) => tests.undecided() > 0,
            Tests::Target(tests) => tests.as_ref().is_some_and(|tests| tests.has_open_test()),
        }
    }

    /// Number of records so far.
    pub(super) fn events(&self) -> u64 {
        self.decoder.stats().events
    }

    /// Why nothing could be decoded so far; `None` if something was.
    pub(super) fn undecodable(&self, bytes: u64) -> Option<String> {
        if self.events() > 0 {
            return None;
        }
        Some(match (&self.decode_error, self.decoder.format()) {
            (Some(error), _) => error.clone(),
            (None, None) => {
                format!("unknown format of the {bytes} received bytes; set it with --input-format")
            }
            (None, Some(format)) => format!(
                "none of the {bytes} received bytes could be decoded as {}",
                format.title_with_article()
            ),
        })
    }

    /// The names in the spec that no record introduced.
    pub(super) fn unknown_names(&self) -> Vec<&SpecError> {
        match &self.tests {
            Tests::Spec(tests) => tests.unknown_names().collect(),
            Tests::Target(_) => Vec::new(),
        }
    }

    /// Decodes and compares the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) -> anyhow::Result<Decided> {
        self.decoder.push(bytes, self.clock.now());
        self.update()
    }

    /// The stream ended.
    pub(super) fn finish(&mut self, end: StreamEnd) -> anyhow::Result<Decided> {
        self.decoder.connection_lost();
        let mut decided = self.update()?;
        let Some(last) = &self.last else {
            return Ok(decided);
        };
        let trace = &last.trace;
        let results = match (&mut self.tests, end) {
            (Tests::Spec(tests), StreamEnd::Complete) => tests.finish(trace),
            (Tests::Spec(tests), StreamEnd::BrokenOff) => tests.interrupt(),
            (Tests::Target(Some(tests)), StreamEnd::Complete) => tests.finish(trace),
            (Tests::Target(Some(tests)), StreamEnd::BrokenOff) => tests.interrupt(trace),
            (Tests::Target(None), _) => Vec::new(),
        };
        decided.results.extend(self.selected(results));
        Ok(decided)
    }

    /// Compares the records that arrived since the last call.
    fn update(&mut self) -> anyhow::Result<Decided> {
        let mut decided = Decided::default();
        let mut missing = 0;
        match self.decoder.next_update() {
            Ok(Some(news)) => {
                let first = u32::from(news.overlaps);
                let gaps = news.recording.trace.gaps.iter();
                let gaps = gaps.filter(|gap| gap.next_event.0 >= first);
                missing = gaps.map(|gap| gap.missing.unwrap_or(1)).sum();
                self.compare(&news, first, &mut decided)?;
                self.last = Some(news.recording);
            }
            Ok(None) => {}
            Err(error) => self.decode_error = Some(error.to_string()),
        }
        // The next record will show those in the middle as missing.
        let damaged = self.decoder.stats().unusable;
        let at_end = (damaged - self.damaged).saturating_sub(missing);
        self.damaged = damaged;
        if at_end > 0 {
            self.record_damage(at_end, &mut decided);
        }
        decided.results = self.selected(std::mem::take(&mut decided.results));
        Ok(decided)
    }

    fn compare(
        &mut self,
        news: &LiveUpdate,
        first: u32,
        decided: &mut Decided,
    ) -> anyhow::Result<()> {
        let trace = &news.recording.trace;
        let info = &news.recording.format_info;
        match &mut self.tests {
            Tests::Spec(tests) => {
                decided.results = tests.push(trace, first)?;
                for result in &decided.results {
                    decided.answers.extend(answer_to_test(info, result));
                }
            }
            Tests::Target(tests) => {
                let Some(recorded) = info.recorded_tests(trace) else {
                    bail!(
                        "{} has no unit tests; pass a test file",
                        info.format().title_with_article()
                    );
                };
                let live = || Box::new(TargetTests::live(recorded.component));
                let tests = tests.get_or_insert_with(live);
                let orders = recorded.directives.into_iter().map(target_order);
                tests.push(trace, first, orders, |answer| {
                    let answer = encode_answer(info, &answer);
                    decided.answers.extend(answer.unwrap_or_default());
                });
                decided.results = tests.take_results();
            }
        }
        Ok(())
    }

    /// Damaged frames arrived after the last record.
    fn record_damage(&mut self, frames: u64, decided: &mut Decided) {
        let next_event = self.decoder.stats().events;
        let Some(last) = &self.last else {
            return;
        };
        let info = &last.format_info;
        match &mut self.tests {
            Tests::Spec(tests) => {
                for result in tests.damaged_record(next_event) {
                    decided.answers.extend(answer_to_test(info, &result));
                    decided.results.push(result);
                }
            }
            Tests::Target(tests) => {
                for _ in 0..frames {
                    let answer = tests.as_mut().and_then(|it| it.damaged_record(next_event));
                    let answer = answer.and_then(|answer| encode_answer(info, &answer));
                    decided.answers.extend(answer.unwrap_or_default());
                }
            }
        }
    }

    fn selected(&self, mut results: Vec<TestResult>) -> Vec<TestResult> {
        if let Some(glob) = &self.selection {
            results.retain(|result| glob.matches(&result.name));
        }
        results
    }
}

fn answer_to_test(info: &FormatInfo, result: &TestResult) -> Vec<u8> {
    let problem = result.problem();
    let answer = info.encode_test_result(result.answer_line(), problem.as_deref());
    answer.unwrap_or_default()
}

fn encode_answer(info: &FormatInfo, answer: &RecordAnswer) -> Option<Vec<u8>> {
    info.encode_test_result(answer.line, answer.failure.as_deref())
}
