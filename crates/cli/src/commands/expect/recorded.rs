//! Tests in the recording itself.

use rtoscope_analysis::expect::{ExpectedArgument, TargetTests, TestResult};
use rtoscope_decode::DecodedRecording;
use rtoscope_decode::format::{ArgumentExpectation, DirectiveKind, RecordedTests, TestDirective};

/// Returns their results; empty if there are none.
pub(super) fn run_recorded(recording: &DecodedRecording) -> Vec<TestResult> {
    let trace = &recording.trace;
    let Some(RecordedTests {
        component,
        directives,
    }) = recording.format_info.recorded_tests(trace)
    else {
        return Vec::new();
    };
    let mut recorded = TargetTests::new(trace, component);
    for TestDirective { event, line, kind } in directives {
        match kind {
            DirectiveKind::Begin => recorded.begin(event, line),
            DirectiveKind::End => recorded.end(event, line),
            DirectiveKind::Verify => recorded.verify(event, line),
            DirectiveKind::IgnoreComponent(name) => recorded.ignore_component(event, line, &name),
            DirectiveKind::Ignore(kind) => recorded.ignore(event, line, kind),
            DirectiveKind::Expect(kind, arguments) => {
                let arguments = arguments.into_iter().map(expected_argument);
                recorded.expect(event, line, kind, arguments.collect());
            }
            DirectiveKind::IgnoreArgument(kind, index) => {
                recorded.ignore_argument(event, line, kind, index);
            }
        }
    }
    recorded.run()
}

fn expected_argument(
    ArgumentExpectation { name, values }: ArgumentExpectation,
) -> ExpectedArgument {
    ExpectedArgument { name, values }
}
