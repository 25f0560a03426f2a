//! Unit tests in a recording, which the target runs on itself.

use crate::{EventIndex, EventKindId};

/// The unit tests in a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedTests {
    /// The component that they check: from the beginning of a test the checker
    /// ignores all others.
    pub component: &'static str,
    /// The directives, in order.
    pub directives: Vec<TestDirective>,
}

/// A directive in a record of a unit test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestDirective {
    /// The event of the record.
    pub event: EventIndex,
    /// The source line on the target.
    pub line: u32,
    /// The directive.
    pub kind: DirectiveKind,
}

/// The kinds of directives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DirectiveKind {
    /// A test begins: everything but state machines is ignored.
    Begin,
    /// The test ends.
    End,
    /// No expectation may be left.
    Verify,
    /// Ignores records of a component.
    IgnoreComponent(String),
    /// Ignores records of a kind.
    Ignore(EventKindId),
    /// Expects a record of a kind next, with these arguments in order, without
    /// the active object.
    Expect(EventKindId, Vec<ArgumentExpectation>),
    /// Ignores an argument of the last expectation, which is of that kind. The
    /// number is its index among those of [`DirectiveKind::Expect`].
    IgnoreArgument(EventKindId, usize),
}

/// The expectation of an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentExpectation {
    /// Its name in the catalogue.
    pub name: String,
    /// The accepted values; any if empty.
    pub values: Vec<u64>,
}
