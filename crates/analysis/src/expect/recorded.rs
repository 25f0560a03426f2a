//! Tests in a recording: the target states the expectations for its own
//! records.

use super::outcome::TestResult;
use super::pattern::{ArgumentCheck, EventPattern, ValueTest};
use super::plan::{
    BetweenRules, Expectation, PatternLine, RuleChange, RuleChangeKind, TestPlan, TraceRange,
};
use super::value_site::{self, ValueType};
use super::{runner, write};
use rtoscope_trace::filter::argument_name;
use rtoscope_trace::{EventIndex, EventKindId, Trace};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Collects the orders of a target's unit tests and compares its records with
/// them.
///
/// Orders come in trace order, each with its record's number and the line of
/// the target's source. Only records of one component are compared. An order
/// takes effect at its record: a record before its expectation is unexpected.
pub struct TargetTests<'t> {
    trace: &'t Trace,
    /// The compared kinds.
    kinds: Rc<[EventKindId]>,
    plans: Vec<TestPlan>,
    open: Option<OpenTest>,
}

/// The test that receives orders.
struct OpenTest {
    line: u32,
    first: EventIndex,
    /// Whether its start was ordered.
    has_begin: bool,
    /// Whether its end, or a check of its expectations, was ordered.
    was_verified: bool,
    expectations: Vec<TargetExpectation>,
    rule_changes: Vec<RuleChange>,
    /// Kinds of ignored components.
    ignored: BTreeSet<EventKindId>,
}

struct TargetExpectation {
    event: EventIndex,
    line: u32,
    kind: EventKindId,
    arguments: Vec<ExpectedArgument>,
}

/// An expected argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedArgument {
    /// Its name in the catalogue.
    pub name: String,
    /// The allowed values, the plainest first; any value if empty.
    pub values: Vec<u64>,
}

impl<'t> TargetTests<'t> {
    /// Compares the records of a component of a trace, e.g. `sm`.
    pub fn new(trace: &'t Trace, component: &str) -> Self {
        Self {
            trace,
            kinds: component_kinds(trace, component).into(),
            plans: Vec::new(),
            open: None,
        }
    }

    /// Begins a test.
    pub fn begin(&mut self, event: EventIndex, line: u32) {
        self.close_test(event);
        self.open = Some(OpenTest::new(event, line, true));
    }

    /// Ends the test; no expectation may be open.
    pub fn end(&mut self, event: EventIndex, line: u32) {
        self.verify(event, line);
        self.close_test(event);
    }

    /// No expectation may be open.
    pub fn verify(&mut self, event: EventIndex, line: u32) {
        if let Some(open) = &mut self.open {
            open.was_verified = true;
            open.add_rule_change(event, RuleChangeKind::Verify(line));
        }
    }

    /// Records of a component may occur without an expectation.
    pub fn ignore_component(&mut self, event: EventIndex, line: u32, component: &str) {
        let kinds = component_kinds(self.trace, component);
        let open = self.open_test(event, line);
        open.ignored.extend(&kinds);
        open.add_rule_change(event, RuleChangeKind::Ignore(kinds));
    }

    /// Records of a kind may occur without an expectation.
    pub fn ignore(&mut self, event: EventIndex, line: u32, kind: EventKindId) {
        let change = RuleChangeKind::Ignore(vec![kind]);
        self.open_test(event, line).add_rule_change(event, change);
    }

    /// Expects a record of a kind next. From here on records of that kind are
    /// not ignored, unless their component is.
    pub fn expect(
        &mut self,
        event: EventIndex,
        line: u32,
        kind: EventKindId,
        arguments: Vec<ExpectedArgument>,
    ) {
        let open = self.open_test(event, line);
        if !open.ignored.contains(&kind) {
            open.add_rule_change(event, RuleChangeKind::Unignore(kind));
        }
        open.expectations.push(TargetExpectation {
            event,
            line,
            kind,
            arguments,
        });
    }

    /// An argument of the last expectation may have any value: the `index`-th
    /// of those that it names, from 0.
    pub fn ignore_argument(
        &mut self,
        event: EventIndex,
        line: u32,
        kind: EventKindId,
        index: usize,
    ) {
        let name = write::kind_name(self.trace, kind);
        let open = self.open_test(event, line);
        let last = open.expectations.last_mut();
        let last = last.filter(|last| last.kind == kind);
        match last.and_then(|last| last.arguments.get_mut(index)) {
            Some(argument) => argument.values.clear(),
            None => {
                let problem = format!(
                    "cannot ignore argument {} of {name}: the last expectation has no such argument",
                    index.saturating_add(1)
                );
                open.add_rule_change(event, RuleChangeKind::InvalidOrder(line, problem));
            }
        }
    }

    /// Compares the records with the orders and returns the result of each
    /// test.
    pub fn run(mut self) -> Vec<TestResult> {
        let end = u32::try_from(self.trace.events.len()).unwrap_or(u32::MAX);
        self.close_test(EventIndex(end));
        let plans = self.plans.iter();
        plans.map(|plan| runner::run(self.trace, plan)).collect()
    }

    /// The test that an order belongs to. If none was begun, the recording
    /// lacks the start of this one.
    fn open_test(&mut self, event: EventIndex, line: u32) -> &mut OpenTest {
        let lacking = || OpenTest::new(event, line, false);
        self.open.get_or_insert_with(lacking)
    }

    fn close_test(&mut self, end: EventIndex) {
        let Some(open) = self.open.take() else {
            return;
        };
        // Targets also order a start when they begin to trace.
        if !open.was_verified && open.rule_changes.is_empty() {
            return;
        }
        let steps = open.expectations.iter();
        self.plans.push(TestPlan {
            name: format!("line {}", open.line),
            line: open.line,
            range: TraceRange::Fixed {
                first: open.first,
                end,
                has_start: open.has_begin,
                has_end: open.was_verified,
            },
            only: vec![EventPattern::from_kinds(Rc::clone(&self.kinds))],
            ignored: BTreeSet::new(),
            never: Vec::new(),
            steps: steps
                .map(|expectation| self.expectation(expectation))
                .collect(),
            after_last: BetweenRules::default(),
            rule_changes: open.rule_changes,
        });
    }

    fn expectation(&self, expectation: &TargetExpectation) -> Expectation {
        let TargetExpectation {
            event,
            line,
            kind,
            arguments,
        } = expectation;
        let known = self.trace.catalogue.get(*kind);
        let mut text = write::kind_name(self.trace, *kind);
        let mut checks = Vec::new();
        for argument in arguments {
            let name = argument_name(&argument.name);
            let found = value_site::find(known, &name, 0);
            let written = match (argument.values.first(), found) {
                (Some(value), Some((_, ValueType::Word(meaning)))) => {
                    write::format_value(self.trace, meaning, *value)
                }
                (Some(value), _) => value.to_string(),
                (None, _) => "*".to_owned(),
            };
            text.push_str(&format!(" {name}={written}"));
            if let Some((site, _)) = found
                && !argument.values.is_empty()
            {
                let mut values = argument.values.clone();
                values.sort_unstable();
                checks.push(ArgumentCheck {
                    name: name.into(),
                    ordinal: 0,
                    site,
                    test: ValueTest::Among(values.into()),
                });
            }
        }
        Expectation {
            before: BetweenRules::default(),
            line: PatternLine {
                number: *line,
                text: text.into(),
                pattern: EventPattern::new([(*kind, checks.into())]),
            },
            count: 1,
            since: Some(*event),
        }
    }
}

impl OpenTest {
    fn new(first: EventIndex, line: u32, begins: bool) -> Self {
        Self {
            line,
            first,
            has_begin: begins,
            was_verified: false,
            expectations: Vec::new(),
            rule_changes: Vec::new(),
            ignored: BTreeSet::new(),
        }
    }

    fn add_rule_change(&mut self, at: EventIndex, what: RuleChangeKind) {
        self.rule_changes.push(RuleChange { at, change: what });
    }
}

fn component_kinds(trace: &Trace, component: &str) -> Vec<EventKindId> {
    let kinds = trace.catalogue.iter();
    let of_component = kinds.filter(|kind| kind.component == component);
    of_component.map(|kind| kind.id).collect()
}
