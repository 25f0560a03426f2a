//! From lines to tests.

use super::error::{Place, SpecError};
use super::lexer::{Piece, Word, words};
use super::spec::{Between, Head, Pattern, Spec, Start, Step, Test, Time, Within};
use rtoscope_trace::filter::Quantity;

/// Lines longer than this are not read, in bytes.
const LONGEST_LINE: usize = 64 << 10;

/// A line that lets any records come.
pub(super) const ANY: &str = "...";

/// The words that begin a line and are no kind's name.
pub(super) const KEYWORDS: [&str; 8] = [
    "test", "only", "ignore", "after", "from", "until", "never", "within",
];

/// Reads a spec.
pub(super) fn parse(text: &str) -> Result<Spec, SpecError> {
    let mut parser = Parser {
        text,
        common: Head::default(),
        tests: Vec::new(),
        open: None,
    };
    for (line, number) in text.lines().zip(1..) {
        parser.line(line, number)?;
    }
    parser.close()?;
    if parser.tests.is_empty() {
        let count = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        let place = Place {
            line: count.max(1),
            start: 0,
            end: 0,
        };
        let expected = "a line such as `SM.TRN sst=idle`";
        return Err(SpecError::new(text, place, "there is no test", expected));
    }
    Ok(Spec {
        text: text.into(),
        common: parser.common,
        tests: parser.tests,
    })
}

struct Parser<'t> {
    text: &'t str,
    common: Head,
    tests: Vec<Test>,
    open: Option<Open>,
}

/// The test that is being read.
struct Open {
    test: Test,
    /// Of its first line.
    place: Place,
    /// Whether an expectation, a `...` or a `within` was read.
    begun: bool,
}

/// The number of `3x`; `None` for words that are none such.
pub(super) fn count(word: &str) -> Option<&str> {
    let digits = word.strip_suffix(['x', 'X'])?;
    let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    plain.then_some(digits)
}

/// From the first word to the last.
fn span(words: &[Word]) -> Option<Place> {
    let (first, last) = (words.first()?.place(), words.last()?.place());
    Some(Place {
        end: last.end,
        ..first
    })
}

impl Parser<'_> {
    fn line(&mut self, line: &str, number: u32) -> Result<(), SpecError> {
        if line.len() > LONGEST_LINE {
            let place = Place {
                line: number,
                start: 0,
                end: 0,
            };
            let what = format!("the line has {} bytes", line.len());
            let expected = format!("at most {LONGEST_LINE}");
            return Err(SpecError::new(self.text, place, what, expected));
        }
        let words = words(self.text, line, number)?;
        let Some((first, rest)) = words.split_first() else {
            return Ok(());
        };
        // Behind the keyword, for what is missing there.
        let end = Place {
            start: first.place().end,
            end: first.place().end,
            ..first.place()
        };
        match first.bare() {
            Some("test") => self.test(first, rest, end),
            Some("only") => {
                let pattern = self.pattern(rest, end)?;
                self.head(first)?.only.push(pattern);
                Ok(())
            }
            Some("ignore") => self.ignore(first, rest, end),
            Some(word @ ("after" | "from")) => {
                let pattern = self.pattern(rest, end)?;
                let inclusive = word == "from";
                let text = self.text;
                let start = &mut self.head(first)?.start;
                if start.is_some() {
                    let expected = "one `after` or `from`";
                    return Err(SpecError::unexpected(text, first.place(), expected));
                }
                *start = Some(Start { pattern, inclusive });
                Ok(())
            }
            Some("until") => {
                let pattern = self.pattern(rest, end)?;
                let text = self.text;
                let until = &mut self.head(first)?.until;
                if until.is_some() {
                    return Err(SpecError::unexpected(text, first.place(), "one `until`"));
                }
                *until = Some(pattern);
                Ok(())
            }
            Some("never") => {
                let pattern = self.pattern(rest, end)?;
                match &mut self.open {
                    Some(open) if open.begun => open.test.rest.never.push(pattern),
                    _ => self.head(first)?.never.push(pattern),
                }
                Ok(())
            }
            Some("within") => self.within(first, rest, end),
            Some(ANY) => {
                self.nothing_more(rest)?;
                self.begun(first).rest.any = true;
                Ok(())
            }
            _ => self.expectation(&words, number),
        }
    }

    fn test(&mut self, first: &Word, rest: &[Word], end: Place) -> Result<(), SpecError> {
        let Some((name, more)) = rest.split_first() else {
            return Err(SpecError::unexpected(self.text, end, "a name"));
        };
        if let Some(value) = &name.value {
            return Err(SpecError::unexpected(self.text, value.place, "a name"));
        }
        self.nothing_more(more)?;
        self.close()?;
        self.open = Some(Open::new(Some(name.name.text()), first.place()));
        Ok(())
    }

    fn ignore(&mut self, first: &Word, rest: &[Word], end: Place) -> Result<(), SpecError> {
        const EXPECTED: &str = "names of kinds or groups";
        if rest.is_empty() {
            return Err(SpecError::unexpected(self.text, end, EXPECTED));
        }
        if let Some(word) = rest.iter().find(|word| word.value.is_some()) {
            return Err(SpecError::unexpected(self.text, word.place(), EXPECTED));
        }
        let names = rest.iter().map(|word| word.name.clone());
        self.head(first)?.ignore.extend(names);
        Ok(())
    }

    fn within(&mut self, first: &Word, rest: &[Word], end: Place) -> Result<(), SpecError> {
        const EXPECTED: &str = "a time such as `5ms` or `200 ticks`";
        let bare: Option<Vec<&str>> = rest.iter().map(Word::bare).collect();
        let place = span(rest).unwrap_or(end);
        let wrong = || SpecError::unexpected(self.text, place, EXPECTED);
        let bare = bare.ok_or_else(wrong)?;
        let time = match bare.as_slice() {
            [number, "tick" | "ticks"] => match Quantity::read(number) {
                Ok(Quantity::Plain(ticks)) => Some(Time::Ticks(ticks)),
                _ => None,
            },
            [_] | [_, _] => match Quantity::read(&bare.concat()) {
                Ok(Quantity::Nanoseconds(time)) => Some(Time::Nanoseconds(time)),
                _ => None,
            },
            _ => None,
        };
        let time = time.ok_or_else(wrong)?;
        let place = Place {
            end: place.end,
            ..first.place()
        };
        let text = self.text;
        let within = &mut self.begun(first).rest.within;
        if within.is_some() {
            let expected = "one `within` in front of an expectation";
            return Err(SpecError::unexpected(text, place, expected));
        }
        *within = Some(Within { place, time });
        Ok(())
    }

    fn expectation(&mut self, words: &[Word], number: u32) -> Result<(), SpecError> {
        let Some((first, rest)) = words.split_first() else {
            return Ok(());
        };
        let digits = first.bare().and_then(count);
        let times = match digits.map(str::parse::<u32>) {
            None => 1,
            Some(Ok(times @ 1..)) => times,
            Some(_) => {
                let expected = "a number from `1x` to `4294967295x`";
                return Err(SpecError::unexpected(self.text, first.place(), expected));
            }
        };
        let of_pattern = if digits.is_some() { rest } else { words };
        let end = Place {
            line: number,
            start: first.place().end,
            end: first.place().end,
        };
        let pattern = self.pattern(of_pattern, end)?;
        if pattern.kind.is_none() {
            let expected = "the name of a kind or a group in front of the arguments";
            return Err(SpecError::unexpected(self.text, pattern.place, expected));
        }
        let test = self.begun(first);
        let before = std::mem::take(&mut test.rest);
        test.steps.push(Step {
            before,
            pattern,
            count: times,
        });
        Ok(())
    }

    /// A kind's name and arguments, of which one may be missing.
    fn pattern(&self, words: &[Word], end: Place) -> Result<Pattern, SpecError> {
        let dots = |word: &&Word| word.bare() == Some(ANY);
        // That any arguments will do can be said in so many dots.
        let words = match words.split_last() {
            Some((last, before)) if dots(&last) && !before.is_empty() => before,
            _ => words,
        };
        let Some(place) = span(words) else {
            let expected = "the name of a kind or a group";
            return Err(SpecError::unexpected(self.text, end, expected));
        };
        let mut kind: Option<Piece> = None;
        let mut arguments = Vec::new();
        for (word, at) in words.iter().zip(0..) {
            match &word.value {
                Some(value) => arguments.push((word.name.clone(), value.clone())),
                None if at == 0 && !dots(&word) => kind = Some(word.name.clone()),
                None => {
                    let expected = "an argument such as `ao=server`";
                    return Err(SpecError::unexpected(self.text, word.place(), expected));
                }
            }
        }
        Ok(Pattern {
            place,
            kind,
            arguments,
        })
    }

    fn nothing_more(&self, words: &[Word]) -> Result<(), SpecError> {
        match span(words) {
            Some(place) => Err(SpecError::unexpected(
                self.text,
                place,
                "the end of the line",
            )),
            None => Ok(()),
        }
    }

    /// What holds for the test that is read, or for all.
    fn head(&mut self, keyword: &Word) -> Result<&mut Head, SpecError> {
        match &mut self.open {
            None => Ok(&mut self.common),
            Some(open) if !open.begun => Ok(&mut open.test.head),
            Some(_) => {
                let what = format!("`{}` holds for a whole test", keyword.name.text());
                let expected = "it in front of the test's first expectation";
                let place = keyword.place();
                Err(SpecError::new(self.text, place, what, expected))
            }
        }
    }

    /// The test that is read, at its expectations; one without a name if none
    /// is.
    fn begun(&mut self, first: &Word) -> &mut Test {
        let unnamed = || Open::new(None, first.place());
        let open = self.open.get_or_insert_with(unnamed);
        open.begun = true;
        &mut open.test
    }

    fn close(&mut self) -> Result<(), SpecError> {
        let Some(Open { test, place, .. }) = self.open.take() else {
            return Ok(());
        };
        if let Some(within) = test.rest.within {
            let what = "no expectation follows this time";
            let expected = "the expectation that it is for";
            return Err(SpecError::new(self.text, within.place, what, expected));
        }
        if test.steps.is_empty() && !test.rest.any {
            let what = "the test expects nothing";
            let expected = "an expectation, or `...` if any records may come";
            return Err(SpecError::new(self.text, place, what, expected));
        }
        self.tests.push(test);
        Ok(())
    }
}

impl Open {
    fn new(name: Option<String>, place: Place) -> Self {
        Self {
            test: Test {
                name,
                line: place.line,
                head: Head::default(),
                steps: Vec::new(),
                rest: Between::default(),
            },
            place,
            begun: false,
        }
    }
}
