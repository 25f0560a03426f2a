//! Parses the lines of a spec into tests.

use super::error::SpecError;
use super::spec::{
    BetweenSpec, ExpectationSpec, PatternSpec, Spec, StartSpec, TestHeader, TestSpec, TimeLimit,
};
use rtoscope_trace::filter::{FilterError, FilterParser, FilterProblem, Quantity, Span};

type Result<T> = std::result::Result<T, FilterError>;

/// The words that begin a line and are not the name of a kind.
pub(super) const KEYWORDS: [&str; 8] = [
    "test", "only", "ignore", "after", "from", "until", "never", "within",
];

impl Spec {
    /// Parses tests in the [language of specs](super).
    ///
    /// # Errors
    ///
    /// If a line is not valid, or there is no test.
    pub fn parse(text: &str) -> std::result::Result<Self, SpecError> {
        let mut parser = SpecParser::default();
        let at = |(line, error)| SpecError::new(text, line, error);
        for (line, number) in text.lines().zip(1..) {
            let in_line = |error| at((number, error));
            let mut words = FilterParser::new(line).map_err(in_line)?;
            if words.word() == Some("test") {
                parser.close_test().map_err(at)?;
            }
            parser.parse_line(&mut words, number).map_err(in_line)?;
        }
        parser.close_test().map_err(at)?;
        if parser.tests.is_empty() {
            let count = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
            let problem = "there is no test; expected a line such as `SM.TRN sst=idle`";
            return Err(at((count.max(1), broken_rule(Span::default(), problem))));
        }
        Ok(Self {
            text: text.into(),
            common: parser.common,
            tests: parser.tests,
        })
    }
}

impl std::str::FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        Self::parse(text)
    }
}

#[derive(Default)]
struct SpecParser {
    common: TestHeader,
    tests: Vec<TestSpec>,
    open: Option<OpenTest>,
}

/// The test that is being parsed.
struct OpenTest {
    test: TestSpec,
    /// Of the first word of its first line.
    span: Span,
    /// Whether an expectation, a `...` or a `within` was parsed.
    started: bool,
}

/// The number of `3x`; `None` for other words.
pub(super) fn repeat_count(word: &str) -> Option<&str> {
    let digits = word.strip_suffix(['x', 'X'])?;
    let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    plain.then_some(digits)
}

fn broken_rule(span: Span, problem: impl Into<String>) -> FilterError {
    FilterError::new(span, FilterProblem::Rule(problem.into()))
}

fn expect_end(words: &FilterParser<'_>, expected: &'static str) -> Result<()> {
    match words.is_end() {
        true => Ok(()),
        false => Err(words.unexpected(expected)),
    }
}

impl SpecParser {
    fn parse_line(&mut self, words: &mut FilterParser<'_>, line: u32) -> Result<()> {
        let first = words.span();
        let keyword = words.word().filter(|word| KEYWORDS.contains(word));
        if keyword.is_some() {
            words.next_word()?;
        }
        match keyword {
            Some("test") => {
                let name = words.parse_literal("a name")?.text().into_owned();
                expect_end(words, "the end of the line")?;
                self.open = Some(OpenTest::new(Some(name), line, first));
            }
            Some("ignore") => {
                const EXPECTED: &str = "names of kinds or groups";
                let mut names = vec![(line, words.parse_literal(EXPECTED)?)];
                while !words.is_end() {
                    names.push((line, words.parse_literal(EXPECTED)?));
                }
                self.header("ignore", first)?.ignore.extend(names);
            }
            Some("within") => self.parse_within(words, line, first)?,
            Some(keyword) => {
                let pattern = parse_pattern(words, line)?;
                if let ("never", Some(open)) = (keyword, &mut self.open)
                    && open.started
                {
                    open.test.after_last.never.push(pattern);
                    return Ok(());
                }
                let header = self.header(keyword, first)?;
                match keyword {
                    "only" => header.only.push(pattern),
                    "never" => header.never.push(pattern),
                    "until" => {
                        if header.until.replace(pattern).is_some() {
                            return Err(words.unexpected_at(first, "one `until`"));
                        }
                    }
                    _ => {
                        let inclusive = keyword == "from";
                        let start = StartSpec { pattern, inclusive };
                        if header.start.replace(start).is_some() {
                            return Err(words.unexpected_at(first, "one `after` or `from`"));
                        }
                    }
                }
            }
            None if words.is_end() => {}
            None if words.accept_dots()? => {
                expect_end(words, "the end of the line")?;
                self.begin_expectations(line, first).after_last.any = true;
            }
            None => self.parse_expectation(words, line, first)?,
        }
        Ok(())
    }

    fn parse_within(&mut self, words: &mut FilterParser<'_>, line: u32, first: Span) -> Result<()> {
        const EXPECTED: &str = "a time such as `5ms` or `200 ticks`";
        let mut span = words.span();
        let mut parts = Vec::new();
        while !words.is_end() {
            span.end = words.span().end;
            parts.push(
                words
                    .next_word()?
                    .ok_or_else(|| words.unexpected(EXPECTED))?,
            );
        }
        let time = match parts.as_slice() {
            [number, "tick" | "ticks"] => {
                let time = Quantity::parse(number);
                time.ok().filter(|time| matches!(time, Quantity::Plain(_)))
            }
            [_] | [_, _] => {
                let time = Quantity::parse(&parts.concat());
                time.ok()
                    .filter(|time| matches!(time, Quantity::Nanoseconds(_)))
            }
            _ => None,
        };
        let time = time.ok_or_else(|| words.unexpected_at(span, EXPECTED))?;
        let span = Span {
            start: first.start,
            ..span
        };
        let within = &mut self.begin_expectations(line, first).after_last.within;
        if within.is_some() {
            return Err(words.unexpected_at(span, "one `within` before an expectation"));
        }
        *within = Some(TimeLimit { line, span, time });
        Ok(())
    }

    fn parse_expectation(
        &mut self,
        words: &mut FilterParser<'_>,
        line: u32,
        first: Span,
    ) -> Result<()> {
        let digits = words.word().and_then(repeat_count);
        let count = match digits.map(str::parse::<u32>) {
            None => 1,
            Some(Ok(count @ 1..)) => count,
            Some(_) => return Err(words.unexpected("a number from `1x` to `4294967295x`")),
        };
        if digits.is_some() {
            words.next_word()?;
        }
        let pattern = parse_pattern(words, line)?;
        if !pattern.pattern.has_kind() {
            let expected = "the name of a kind or a group before the arguments";
            return Err(words.unexpected_at(pattern.pattern.span(), expected));
        }
        let test = self.begin_expectations(line, first);
        let before = std::mem::take(&mut test.after_last);
        test.steps.push(ExpectationSpec {
            before,
            pattern,
            count,
        });
        Ok(())
    }

    /// The header of the current test, or the common header.
    fn header(&mut self, keyword: &str, span: Span) -> Result<&mut TestHeader> {
        match &mut self.open {
            None => Ok(&mut self.common),
            Some(open) if !open.started => Ok(&mut open.test.header),
            Some(_) => Err(broken_rule(
                span,
                format!(
                    "`{keyword}` applies to a whole test; \
                     expected it before the test's first expectation"
                ),
            )),
        }
    }

    /// The current test, at its expectations; a test without a name if there is
    /// none.
    fn begin_expectations(&mut self, line: u32, first: Span) -> &mut TestSpec {
        let unnamed = || OpenTest::new(None, line, first);
        let open = self.open.get_or_insert_with(unnamed);
        open.started = true;
        &mut open.test
    }

    /// The error has its line.
    fn close_test(&mut self) -> std::result::Result<(), (u32, FilterError)> {
        let Some(OpenTest { test, span, .. }) = self.open.take() else {
            return Ok(());
        };
        if let Some(within) = test.after_last.within {
            let problem = "no expectation follows this time; expected an expectation after it";
            return Err((within.line, broken_rule(within.span, problem)));
        }
        if test.steps.is_empty() && !test.after_last.any {
            let problem = "the test has no expectations; \
                expected an expectation, or `...` if any records may occur";
            return Err((test.line, broken_rule(span, problem)));
        }
        self.tests.push(test);
        Ok(())
    }
}

/// Parses a pattern up to the end of the line.
fn parse_pattern(words: &mut FilterParser<'_>, line: u32) -> Result<PatternSpec> {
    let pattern = words.parse_pattern()?;
    // Explicitly allows any other arguments.
    words.accept_dots()?;
    expect_end(
        words,
        "an argument such as `ao=server`, or the end of the line",
    )?;
    Ok(PatternSpec {
        line,
        text: words.source(pattern.span()).into(),
        pattern,
    })
}

impl OpenTest {
    fn new(name: Option<String>, line: u32, span: Span) -> Self {
        Self {
            test: TestSpec {
                name,
                line,
                header: TestHeader::default(),
                steps: Vec::new(),
                after_last: BetweenSpec::default(),
            },
            span,
            started: false,
        }
    }
}
