//! Parses the lines of a spec into tests.

use super::error::{Span, SpecError};
use super::lexer::{SpecToken, SpecWord, split_words};
use super::spec::{
    BetweenSpec, ExpectationSpec, PatternSpec, Spec, StartSpec, TestHeader, TestSpec, TimeLimit,
    TimeValue,
};
use rtoscope_trace::filter::Quantity;

/// Maximum length of a line, in bytes.
const MAX_LINE_BYTES: usize = 64 << 10;

/// The line that allows any records.
pub(super) const ANY_RECORDS: &str = "...";

/// The words that begin a line and are not the name of a kind.
pub(super) const KEYWORDS: [&str; 8] = [
    "test", "only", "ignore", "after", "from", "until", "never", "within",
];

/// Parses a spec.
pub(super) fn parse(text: &str) -> Result<Spec, SpecError> {
    let mut parser = Parser {
        text,
        common: TestHeader::default(),
        tests: Vec::new(),
        open: None,
    };
    for (line, number) in text.lines().zip(1..) {
        parser.parse_line(line, number)?;
    }
    parser.close_test()?;
    if parser.tests.is_empty() {
        let count = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        let span = Span {
            line: count.max(1),
            start: 0,
            end: 0,
        };
        let expected = "a line such as `SM.TRN sst=idle`";
        return Err(SpecError::new(text, span, "there is no test", expected));
    }
    Ok(Spec {
        text: text.into(),
        common: parser.common,
        tests: parser.tests,
    })
}

struct Parser<'t> {
    text: &'t str,
    common: TestHeader,
    tests: Vec<TestSpec>,
    open: Option<OpenTest>,
}

/// The test that is being parsed.
struct OpenTest {
    test: TestSpec,
    /// Of its first line.
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

/// From the first word to the last.
fn span_of(words: &[SpecWord]) -> Option<Span> {
    let (first, last) = (words.first()?.span(), words.last()?.span());
    Some(Span {
        end: last.end,
        ..first
    })
}

impl Parser<'_> {
    fn parse_line(&mut self, line: &str, number: u32) -> Result<(), SpecError> {
        if line.len() > MAX_LINE_BYTES {
            let span = Span {
                line: number,
                start: 0,
                end: 0,
            };
            let what = format!("the line has {} bytes", line.len());
            let expected = format!("at most {MAX_LINE_BYTES}");
            return Err(SpecError::new(self.text, span, what, expected));
        }
        let words = split_words(self.text, line, number)?;
        let Some((first, rest)) = words.split_first() else {
            return Ok(());
        };
        // After the keyword, where something is missing.
        let end = Span {
            start: first.span().end,
            end: first.span().end,
            ..first.span()
        };
        match first.bare() {
            Some("test") => self.parse_test(first, rest, end),
            Some("only") => {
                let pattern = self.parse_pattern(rest, end)?;
                self.current_header(first)?.only.push(pattern);
                Ok(())
            }
            Some("ignore") => self.parse_ignore(first, rest, end),
            Some(word @ ("after" | "from")) => {
                let pattern = self.parse_pattern(rest, end)?;
                let inclusive = word == "from";
                let text = self.text;
                let start = &mut self.current_header(first)?.start;
                if start.is_some() {
                    let expected = "one `after` or `from`";
                    return Err(SpecError::unexpected(text, first.span(), expected));
                }
                *start = Some(StartSpec { pattern, inclusive });
                Ok(())
            }
            Some("until") => {
                let pattern = self.parse_pattern(rest, end)?;
                let text = self.text;
                let until = &mut self.current_header(first)?.until;
                if until.is_some() {
                    return Err(SpecError::unexpected(text, first.span(), "one `until`"));
                }
                *until = Some(pattern);
                Ok(())
            }
            Some("never") => {
                let pattern = self.parse_pattern(rest, end)?;
                match &mut self.open {
                    Some(open) if open.started => open.test.after_last.never.push(pattern),
                    _ => self.current_header(first)?.never.push(pattern),
                }
                Ok(())
            }
            Some("within") => self.parse_within(first, rest, end),
            Some(ANY_RECORDS) => {
                self.expect_end(rest)?;
                self.begin_expectations(first).after_last.any = true;
                Ok(())
            }
            _ => self.parse_expectation(&words, number),
        }
    }

    fn parse_test(
        &mut self,
        first: &SpecWord,
        rest: &[SpecWord],
        end: Span,
    ) -> Result<(), SpecError> {
        let Some((name, more)) = rest.split_first() else {
            return Err(SpecError::unexpected(self.text, end, "a name"));
        };
        if let Some(value) = &name.value {
            return Err(SpecError::unexpected(self.text, value.span, "a name"));
        }
        self.expect_end(more)?;
        self.close_test()?;
        self.open = Some(OpenTest::new(Some(name.name.text()), first.span()));
        Ok(())
    }

    fn parse_ignore(
        &mut self,
        first: &SpecWord,
        rest: &[SpecWord],
        end: Span,
    ) -> Result<(), SpecError> {
        const EXPECTED: &str = "names of kinds or groups";
        if rest.is_empty() {
            return Err(SpecError::unexpected(self.text, end, EXPECTED));
        }
        if let Some(word) = rest.iter().find(|word| word.value.is_some()) {
            return Err(SpecError::unexpected(self.text, word.span(), EXPECTED));
        }
        let names = rest.iter().map(|word| word.name.clone());
        self.current_header(first)?.ignore.extend(names);
        Ok(())
    }

    fn parse_within(
        &mut self,
        first: &SpecWord,
        rest: &[SpecWord],
        end: Span,
    ) -> Result<(), SpecError> {
        const EXPECTED: &str = "a time such as `5ms` or `200 ticks`";
        let bare: Option<Vec<&str>> = rest.iter().map(SpecWord::bare).collect();
        let span = span_of(rest).unwrap_or(end);
        let wrong = || SpecError::unexpected(self.text, span, EXPECTED);
        let bare = bare.ok_or_else(wrong)?;
        let time = match bare.as_slice() {
            [number, "tick" | "ticks"] => match Quantity::parse(number) {
                Ok(Quantity::Plain(ticks)) => Some(TimeValue::Ticks(ticks)),
                _ => None,
            },
            [_] | [_, _] => match Quantity::parse(&bare.concat()) {
                Ok(Quantity::Nanoseconds(time)) => Some(TimeValue::Nanoseconds(time)),
                _ => None,
            },
            _ => None,
        };
        let time = time.ok_or_else(wrong)?;
        let span = Span {
            end: span.end,
            ..first.span()
        };
        let text = self.text;
        let within = &mut self.begin_expectations(first).after_last.within;
        if within.is_some() {
            let expected = "one `within` before an expectation";
            return Err(SpecError::unexpected(text, span, expected));
        }
        *within = Some(TimeLimit { span, time });
        Ok(())
    }

    fn parse_expectation(&mut self, words: &[SpecWord], number: u32) -> Result<(), SpecError> {
        let Some((first, rest)) = words.split_first() else {
            return Ok(());
        };
        let digits = first.bare().and_then(repeat_count);
        let times = match digits.map(str::parse::<u32>) {
            None => 1,
            Some(Ok(times @ 1..)) => times,
            Some(_) => {
                let expected = "a number from `1x` to `4294967295x`";
                return Err(SpecError::unexpected(self.text, first.span(), expected));
            }
        };
        let of_pattern = if digits.is_some() { rest } else { words };
        let end = Span {
            line: number,
            start: first.span().end,
            end: first.span().end,
        };
        let pattern = self.parse_pattern(of_pattern, end)?;
        if pattern.kind.is_none() {
            let expected = "the name of a kind or a group before the arguments";
            return Err(SpecError::unexpected(self.text, pattern.span, expected));
        }
        let test = self.begin_expectations(first);
        let before = std::mem::take(&mut test.after_last);
        test.steps.push(ExpectationSpec {
            before,
            pattern,
            count: times,
        });
        Ok(())
    }

    /// A kind's name and arguments; either may be missing.
    fn parse_pattern(&self, words: &[SpecWord], end: Span) -> Result<PatternSpec, SpecError> {
        let dots = |word: &&SpecWord| word.bare() == Some(ANY_RECORDS);
        // A trailing `...` explicitly allows any other arguments.
        let words = match words.split_last() {
            Some((last, before)) if dots(&last) && !before.is_empty() => before,
            _ => words,
        };
        let Some(span) = span_of(words) else {
            let expected = "the name of a kind or a group";
            return Err(SpecError::unexpected(self.text, end, expected));
        };
        let mut kind: Option<SpecToken> = None;
        let mut arguments = Vec::new();
        for (word, at) in words.iter().zip(0..) {
            match &word.value {
                Some(value) => arguments.push((word.name.clone(), value.clone())),
                None if at == 0 && !dots(&word) => kind = Some(word.name.clone()),
                None => {
                    let expected = "an argument such as `ao=server`";
                    return Err(SpecError::unexpected(self.text, word.span(), expected));
                }
            }
        }
        Ok(PatternSpec {
            span,
            kind,
            arguments,
        })
    }

    fn expect_end(&self, words: &[SpecWord]) -> Result<(), SpecError> {
        match span_of(words) {
            Some(span) => Err(SpecError::unexpected(
                self.text,
                span,
                "the end of the line",
            )),
            None => Ok(()),
        }
    }

    /// The header of the current test, or the common header.
    fn current_header(&mut self, keyword: &SpecWord) -> Result<&mut TestHeader, SpecError> {
        match &mut self.open {
            None => Ok(&mut self.common),
            Some(open) if !open.started => Ok(&mut open.test.header),
            Some(_) => {
                let what = format!("`{}` applies to a whole test", keyword.name.text());
                let expected = "it before the test's first expectation";
                let span = keyword.span();
                Err(SpecError::new(self.text, span, what, expected))
            }
        }
    }

    /// The current test, at its expectations; a test without a name if there is
    /// none.
    fn begin_expectations(&mut self, first: &SpecWord) -> &mut TestSpec {
        let unnamed = || OpenTest::new(None, first.span());
        let open = self.open.get_or_insert_with(unnamed);
        open.started = true;
        &mut open.test
    }

    fn close_test(&mut self) -> Result<(), SpecError> {
        let Some(OpenTest { test, span, .. }) = self.open.take() else {
            return Ok(());
        };
        if let Some(within) = test.after_last.within {
            let what = "no expectation follows this time";
            let expected = "an expectation after it";
            return Err(SpecError::new(self.text, within.span, what, expected));
        }
        if test.steps.is_empty() && !test.after_last.any {
            let what = "the test has no expectations";
            let expected = "an expectation, or `...` if any records may occur";
            return Err(SpecError::new(self.text, span, what, expected));
        }
        self.tests.push(test);
        Ok(())
    }
}

impl OpenTest {
    fn new(name: Option<String>, span: Span) -> Self {
        Self {
            test: TestSpec {
                name,
                line: span.line,
                header: TestHeader::default(),
                steps: Vec::new(),
                after_last: BetweenSpec::default(),
            },
            span,
            started: false,
        }
    }
}
