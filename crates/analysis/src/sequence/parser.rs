//! Parses the lines of a sequence.

use super::spec::{
    BetweenSpec, ExpectationSpec, PatternSpec, Sequence, SequenceText, StartSpec, TimeLimit,
};
use crate::check::RuleError;
use rtoscope_trace::filter::{FilterError, FilterParser, FilterProblem, Quantity, Span};

type Result<T> = std::result::Result<T, FilterError>;

/// The words that begin a line and are not the name of a kind.
pub(super) const KEYWORDS: [&str; 7] = [
    "only", "ignore", "after", "from", "until", "never", "within",
];

impl Sequence {
    /// Parses a sequence in the [language of sequences](super), which begins in a line of a file.
    ///
    /// # Errors
    ///
    /// If a line is not valid, or nothing is expected.
    pub fn parse(text: &str, first_line: u32) -> std::result::Result<Self, RuleError> {
        let source = SequenceText {
            text: text.into(),
            first_line,
        };
        let mut parser = SequenceParser {
            sequence: Self {
                source: source.clone(),
                ..Self::default()
            },
            has_begun: false,
        };
        let mut last = first_line;
        for (line, number) in text.lines().zip(first_line..) {
            let words = FilterParser::new(line);
            let parsed = words.and_then(|mut words| parser.parse_line(&mut words, number));
            parsed.map_err(|error| source.error(number, error))?;
            last = number;
        }
        let parsed = parser.finish(last);
        parsed.map_err(|(line, error)| source.error(line, error))
    }
}

struct SequenceParser {
    sequence: Sequence,
    /// Whether an expectation, a `...` or a `within` was parsed.
    has_begun: bool,
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

impl SequenceParser {
    fn parse_line(&mut self, words: &mut FilterParser<'_>, line: u32) -> Result<()> {
        let first = words.span();
        let keyword = words.word().filter(|word| KEYWORDS.contains(word));
        if keyword.is_some() {
            words.next_word()?;
        }
        match keyword {
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
                if keyword == "never" && self.has_begun {
                    self.sequence.after_last.never.push(pattern);
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
                self.begin_expectations().after_last.any = true;
            }
            None => self.parse_expectation(words, line)?,
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
        let within = &mut self.begin_expectations().after_last.within;
        if within.is_some() {
            return Err(words.unexpected_at(span, "one `within` before an expectation"));
        }
        *within = Some(TimeLimit { line, span, time });
        Ok(())
    }

    fn parse_expectation(&mut self, words: &mut FilterParser<'_>, line: u32) -> Result<()> {
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
        let sequence = self.begin_expectations();
        let before = std::mem::take(&mut sequence.after_last);
        sequence.steps.push(ExpectationSpec {
            before,
            pattern,
            count,
        });
        Ok(())
    }

    /// The sequence, before its first expectation.
    fn header(&mut self, keyword: &str, span: Span) -> Result<&mut Sequence> {
        match self.has_begun {
            false => Ok(&mut self.sequence),
            true => Err(broken_rule(
                span,
                format!(
                    "`{keyword}` applies to a whole occurrence; \
                     expected it before the first expectation"
                ),
            )),
        }
    }

    /// The sequence, at its expectations.
    fn begin_expectations(&mut self) -> &mut Sequence {
        self.has_begun = true;
        &mut self.sequence
    }

    /// The error has its line.
    fn finish(self, last_line: u32) -> std::result::Result<Sequence, (u32, FilterError)> {
        let mut sequence = self.sequence;
        let anywhere = BetweenSpec {
            any: true,
            ..BetweenSpec::default()
        };
        if sequence.start.is_none()
            && let Some(first) = sequence.steps.first_mut()
            && first.before == anywhere
        {
            first.before = BetweenSpec::default();
            sequence.start = Some(StartSpec {
                pattern: first.pattern.clone(),
                inclusive: true,
            });
        }
        let after_last = &sequence.after_last;
        if let Some(within) = after_last.within {
            let problem = "no expectation follows this time; expected an expectation after it";
            return Err((within.line, broken_rule(within.span, problem)));
        }
        if sequence.steps.is_empty() && !after_last.any {
            let problem = "nothing is expected; expected a line such as `SM.TRN sst=idle`, \
                or `...` if any records may occur";
            return Err((last_line, broken_rule(Span::default(), problem)));
        }
        if let Some(never) = after_last.never.first()
            && sequence.start.is_some()
            && sequence.until.is_none()
        {
            let problem = "`never` after the last expectation needs `until`: \
                an occurrence ends with its last expectation";
            return Err((never.line, broken_rule(never.pattern.span(), problem)));
        }
        Ok(sequence)
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
