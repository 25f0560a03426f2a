//! Tests that a recording holds itself: the target says what it expects of its
//! own records.

use super::names::argument_name;
use super::outcome::TestResult;
use super::pattern::{Check, Pattern, Test};
use super::plan::{Between, Change, Line, Part, Plan, Step, Turn};
use super::site::{self, Sort};
use super::{runner, write};
use rtoscope_trace::{EventIndex, KindId, Trace};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Collects the orders of a target's unit tests and compares its records with
/// them.
///
/// Orders are to be given in trace order, each with its record's number and the
/// line of the target's source. Only records of one component are compared. An
/// order counts from its record on: a record that comes before its expectation
/// was not expected.
pub struct Recorded<'t> {
    trace: &'t Trace,
    /// The kinds that are compared.
    kinds: Rc<[KindId]>,
    plans: Vec<Plan>,
    open: Option<Open>,
}

/// The test whose orders come.
struct Open {
    line: u32,
    first: EventIndex,
    /// Whether its beginning was ordered.
    begins: bool,
    /// Whether its end was ordered, or a check of its expectations.
    verified: bool,
    expectations: Vec<Expectation>,
    turns: Vec<Turn>,
    /// Kinds of ignored components.
    ignored: BTreeSet<KindId>,
}

struct Expectation {
    event: EventIndex,
    line: u32,
    kind: KindId,
    arguments: Vec<ExpectedArgument>,
}

/// An argument that is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedArgument {
    /// Its name in the catalogue.
    pub name: String,
    /// The values that are right, the plainest first; any if there is none.
    pub values: Vec<u64>,
}

impl<'t> Recorded<'t> {
    /// Will compare the records of a component of a trace, e.g. `sm`.
    pub fn new(trace: &'t Trace, component: &str) -> Self {
        Self {
            trace,
            kinds: kinds(trace, component).into(),
            plans: Vec::new(),
            open: None,
        }
    }

    /// A test begins.
    pub fn begin(&mut self, event: EventIndex, line: u32) {
        self.close(event);
        self.open = Some(Open::new(event, line, true));
    }

    /// The test ends, with no expectation left.
    pub fn end(&mut self, event: EventIndex, line: u32) {
        self.verify(event, line);
        self.close(event);
    }

    /// No expectation may be left.
    pub fn verify(&mut self, event: EventIndex, line: u32) {
        if let Some(open) = &mut self.open {
            open.verified = true;
            open.turn(event, Change::Verify(line));
        }
    }

    /// Records of a component may come without being expected.
    pub fn ignore_component(&mut self, event: EventIndex, line: u32, component: &str) {
        let kinds = kinds(self.trace, component);
        let open = self.test(event, line);
        open.ignored.extend(&kinds);
        open.turn(event, Change::Ignore(kinds));
    }

    /// Records of a kind may come without being expected.
    pub fn ignore(&mut self, event: EventIndex, line: u32, kind: KindId) {
        let change = Change::Ignore(vec![kind]);
        self.test(event, line).turn(event, change);
    }

    /// A record of a kind is expected next. From now on records of that kind
    /// are not ignored, unless their component is.
    pub fn expect(
        &mut self,
        event: EventIndex,
        line: u32,
        kind: KindId,
        arguments: Vec<ExpectedArgument>,
    ) {
        let open = self.test(event, line);
        if !open.ignored.contains(&kind) {
            open.turn(event, Change::Heed(kind));
        }
        open.expectations.push(Expectation {
            event,
            line,
            kind,
            arguments,
        });
    }

    /// An argument of the last expectation may be anything: the `index`-th of
    /// those that it names, from 0.
    pub fn ignore_argument(&mut self, event: EventIndex, line: u32, kind: KindId, index: usize) {
        let name = write::kind(self.trace, kind);
        let open = self.test(event, line);
        let last = open.expectations.last_mut();
        let last = last.filter(|last| last.kind == kind);
        match last.and_then(|last| last.arguments.get_mut(index)) {
            Some(argument) => argument.values.clear(),
            None => {
                let problem = format!(
                    "argument {} of {name} is to be ignored, but the last expectation has none such",
                    index.saturating_add(1)
                );
                open.turn(event, Change::Misuse(line, problem));
            }
        }
    }

    /// Compares the records with the orders, and tells what came of each test.
    pub fn run(mut self) -> Vec<TestResult> {
        let end = u32::try_from(self.trace.events.len()).unwrap_or(u32::MAX);
        self.close(EventIndex(end));
        let plans = self.plans.iter();
        plans.map(|plan| runner::run(self.trace, plan)).collect()
    }

    /// The test that an order is for: one of which the recording lacks the
    /// beginning if none was begun.
    fn test(&mut self, event: EventIndex, line: u32) -> &mut Open {
        let lacking = || Open::new(event, line, false);
        self.open.get_or_insert_with(lacking)
    }

    fn close(&mut self, end: EventIndex) {
        let Some(open) = self.open.take() else {
            return;
        };
        // Targets also say that they begin when they start their trace.
        if !open.verified && open.turns.is_empty() {
            return;
        }
        let steps = open.expectations.iter();
        self.plans.push(Plan {
            name: format!("line {}", open.line),
            line: open.line,
            part: Part::Given {
                first: open.first,
                end,
                begins: open.begins,
                ends: open.verified,
            },
            only: vec![Pattern::of_kinds(Rc::clone(&self.kinds))],
            ignored: BTreeSet::new(),
            never: Vec::new(),
            steps: steps.map(|expectation| self.step(expectation)).collect(),
            rest: Between::default(),
            turns: open.turns,
        });
    }

    fn step(&self, expectation: &Expectation) -> Step {
        let Expectation {
            event,
            line,
            kind,
            arguments,
        } = expectation;
        let known = self.trace.catalogue.get(*kind);
        let mut text = write::kind(self.trace, *kind);
        let mut checks = Vec::new();
        for argument in arguments {
            let name = argument_name(&argument.name);
            let found = site::find(known, &name, 0);
            let written = match (argument.values.first(), found) {
                (Some(value), Some((_, Sort::Word(meaning)))) => {
                    write::value(self.trace, meaning, *value)
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
                checks.push(Check {
                    name: name.into(),
                    ordinal: 0,
                    site,
                    test: Test::Among(values.into()),
                });
            }
        }
        Step {
            before: Between::default(),
            line: Line {
                number: *line,
                text: text.into(),
                pattern: Pattern::new([(*kind, checks.into())]),
            },
            count: 1,
            since: Some(*event),
        }
    }
}

impl Open {
    fn new(first: EventIndex, line: u32, begins: bool) -> Self {
        Self {
            line,
            first,
            begins,
            verified: false,
            expectations: Vec::new(),
            turns: Vec::new(),
            ignored: BTreeSet::new(),
        }
    }

    fn turn(&mut self, at: EventIndex, what: Change) {
        self.turns.push(Turn { at, what });
    }
}

fn kinds(trace: &Trace, component: &str) -> Vec<KindId> {
    let kinds = trace.catalogue.iter();
    let of_component = kinds.filter(|kind| kind.component == component);
    of_component.map(|kind| kind.id).collect()
}
