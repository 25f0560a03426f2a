//! A rule about a declared deadline that may be missed at times.

use super::limit::Limit;
use super::metric::MetricUnit;
use super::occurrences::Occurrences;
use super::outcome::{CheckResult, MAX_OFFENDERS, Offender, RuleOutcome};
use super::rule::{NamePattern, RuleWindow, missing_evidence, no_time};
use crate::report::View;
use crate::report::deadlines::DeadlineVerdict;
use crate::report::format_percent;
use rtoscope_trace::EventIndex;
use rtoscope_trace::diagnostic::pluralise;
use std::cmp::{Ordering, Reverse};
use std::collections::VecDeque;

/// A rule that replaces the one that all occurrences of a deadline are in time.
#[derive(Debug, Clone)]
pub(super) struct DeadlineRule {
    /// Its line in the file, counted from 1.
    pub(super) line: usize,
    pub(super) name: String,
    pub(super) deadline: NamePattern,
    pub(super) firm: Option<Firm>,
    /// The maximum share of misses, in percent.
    pub(super) max_missed: Option<Limit>,
    pub(super) window: RuleWindow,
    /// Whether it holds in spite of missing events.
    pub(super) accepts_gaps: bool,
}

/// At least `in_time` of any `of` consecutive occurrences are in time: it is (m,k)-firm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Firm {
    in_time: usize,
    of: usize,
}

/// Maximum number of events of misses that are listed for a group.
const MAX_LISTED_EVENTS: usize = 10;

impl Firm {
    /// Parses `9 of 10`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let numbers = text.split_once(" of ").and_then(|(in_time, of)| {
            let number = |text: &str| text.trim().parse::<usize>().ok();
            Some((number(in_time)?, number(of)?))
        });
        match numbers {
            Some((in_time, of)) if in_time >= 1 && in_time <= of => Ok(Self { in_time, of }),
            _ => Err(format!(
                "expected how many of any consecutive ones are in time, such as \
                 \"9 of 10\", found {text:?}"
            )),
        }
    }

    const fn allowed_misses(self) -> usize {
        self.of - self.in_time
    }
}

/// A group of consecutive occurrences with too many misses.
struct Group {
    first: usize,
    /// Inclusive.
    last: usize,
    missed: usize,
}

/// What was found in the occurrences of deadlines so far.
#[derive(Default)]
struct Findings {
    offenders: Vec<Offender>,
    /// Number of violations, with those that are not listed.
    violations: usize,
    undecided: Option<String>,
    passed: Vec<String>,
}

impl Findings {
    fn undecided(&mut self, why: String) {
        self.undecided.get_or_insert(why);
    }
}

impl DeadlineRule {
    /// Whether it is about the declared deadline with this name.
    pub(super) fn covers(&self, deadline: &str) -> bool {
        self.deadline.matches(deadline)
    }

    pub(super) fn check(&self, all: &[Occurrences<'_>], view: &View<'_>) -> CheckResult {
        let undecided = |why: String| CheckResult::undecided(&self.name, why);
        if let Some(why) = view.trace.clock.quality.no_time() {
            return undecided(no_time(why));
        }
        let mut found = Findings::default();
        let covered = all.iter().filter(|it| self.covers(it.name));
        for occurrences in covered {
            if occurrences.verdicts.is_empty() {
                found.undecided(format!("nothing of {} was judged", occurrences.name));
            } else if occurrences.unplaced > 0 {
                found.undecided(format!(
                    "the start of {} of {} is unknown",
                    occurrences.unplaced, occurrences.name
                ));
            }
            if let Some(firm) = self.firm {
                check_firm(firm, occurrences, view, &mut found);
            }
            if let Some(max) = &self.max_missed {
                check_share(max, occurrences, view, &mut found);
            }
        }
        if found.violations > 0 {
            let count = pluralise(found.violations as u64, "violation", "violations");
            let mut result = CheckResult::failed(&self.name, count, found.offenders);
            result.violations = found.violations;
            return result;
        }
        if let Some(why) = found.undecided {
            return undecided(why);
        }
        if found.passed.is_empty() {
            return undecided("no such deadline is declared".to_owned());
        }
        let message = found.passed.join("; ");
        match missing_evidence(view).filter(|_| !self.accepts_gaps) {
            Some(why) => undecided(format!("{message}, but {why}")),
            None => CheckResult::new(&self.name, RuleOutcome::Passed, message),
        }
    }
}

/// Checks each group of consecutive occurrences; none spans missing events.
fn check_firm(firm: Firm, all: &Occurrences<'_>, view: &View<'_>, found: &mut Findings) {
    let allowed = firm.allowed_misses();
    let mut groups = Vec::new();
    let mut most_missed = 0;
    let mut may_fail = false;
    // The misses and the unknown ones of the last occurrences, by number.
    let [mut missed, mut unknown] = [VecDeque::new(), VecDeque::new()];
    let mut first = 0;
    let mut before: Option<EventIndex> = None;
    for (number, (event, verdict)) in all.verdicts.iter().enumerate() {
        first = first.max((number + 1).saturating_sub(firm.of));
        if before.is_some_and(|before| view.has_gap_between(None, before, *event)) {
            first = number;
        }
        before = Some(*event);
        for numbers in [&mut missed, &mut unknown] {
            while numbers.front().is_some_and(|it| *it < first) {
                numbers.pop_front();
            }
        }
        match verdict {
            DeadlineVerdict::Met => {}
            DeadlineVerdict::Missed => missed.push_back(number),
            DeadlineVerdict::Unknown => unknown.push_back(number),
        }
        most_missed = most_missed.max(missed.len());
        may_fail |= missed.len() + unknown.len() > allowed;
        if missed.len() > allowed {
            groups.push(Group {
                first,
                last: number,
                missed: missed.len(),
            });
        }
    }
    if groups.is_empty() {
        let count = all.verdicts.len();
        if may_fail {
            found.undecided(format!(
                "whether enough of {} was in time is unknown",
                all.name
            ));
        } else if count < firm.of {
            found.undecided(format!("{} has {count}, fewer than {}", all.name, firm.of));
        }
        let (of, name) = (firm.of, all.name);
        found
            .passed
            .push(format!("at most {most_missed} of {of} missed ({name})"));
        return;
    }
    found.violations += groups.len();
    groups.sort_by_key(|group| Reverse(group.missed));
    let mut listed: Vec<Group> = Vec::new();
    for group in groups {
        let overlaps = |it: &Group| it.first <= group.last && group.first <= it.last;
        if listed.len() < MAX_OFFENDERS && !listed.iter().any(overlaps) {
            listed.push(group);
        }
    }
    found
        .offenders
        .extend(listed.iter().map(|it| offender(all, it)));
}

/// The group with the events of its misses.
fn offender(all: &Occurrences<'_>, group: &Group) -> Offender {
    let verdicts = all.verdicts.get(group.first..=group.last);
    let verdicts = verdicts.unwrap_or_default();
    let missed = verdicts
        .iter()
        .filter(|(_, it)| *it == DeadlineVerdict::Missed);
    let events: Vec<u32> = missed.map(|(event, _)| event.0).collect();
    let listed = events.iter().take(MAX_LISTED_EVENTS).map(u32::to_string);
    let listed: Vec<_> = listed.collect();
    let more = match events.len().saturating_sub(MAX_LISTED_EVENTS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Offender {
        subject: all.name.to_owned(),
        found: format!(
            "{} of {} missed: events {}{more}",
            group.missed,
            verdicts.len(),
            listed.join(", ")
        ),
        event: events.first().copied(),
    }
}

fn check_share(max: &Limit, all: &Occurrences<'_>, view: &View<'_>, found: &mut Findings) {
    let count = |wanted| {
        let verdicts = all.verdicts.iter();
        verdicts.filter(|(_, it)| *it == wanted).count() as u64
    };
    let total = all.verdicts.len() as u64;
    let missed = count(DeadlineVerdict::Missed);
    let unknown = count(DeadlineVerdict::Unknown);
    let percent = |count: u64| count as f64 * 100.0 / total.max(1) as f64;
    let exceeds = |count| {
        let compared = max.compare(percent(count), &view.trace.timescale());
        compared.is_ok_and(|it| it == Ordering::Greater)
    };
    let share = format_percent(percent(missed));
    let share = format!("{missed} of {total} missed, {share}");
    if exceeds(missed) {
        let first = all.verdicts.iter();
        let mut first = first.filter(|(_, it)| *it == DeadlineVerdict::Missed);
        found.violations += 1;
        found.offenders.push(Offender {
            subject: all.name.to_owned(),
            found: share,
            event: first.next().map(|(event, _)| event.0),
        });
        return;
    }
    if exceeds(missed + unknown) {
        found.undecided(format!("{share}, {unknown} unknown ({})", all.name));
    }
    found.passed.push(format!("{share} ({})", all.name));
}

/// The limit of a share of misses.
pub(super) fn max_missed(value: &toml::Value) -> Result<Limit, String> {
    Limit::parse(value, MetricUnit::Percent)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]

    use super::*;
    use crate::fixture::Fixture;
    use crate::report::Scope;
    use rtoscope_trace::Gap;

    /// The result for occurrences at events 0, 1, 2 …: `.` in time, `x` missed, `?` unknown; events
    /// are missing before those in `gaps`.
    fn check(firm: &str, max_missed: Option<i64>, occurrences: &str, gaps: &[u32]) -> CheckResult {
        let mut fixture = Fixture::empty(100, 1);
        let gap = |next_event: &u32| Gap {
            next_event: EventIndex(*next_event),
            missing: None,
            core: None,
            is_restart: false,
        };
        fixture.trace.gaps.extend(gaps.iter().map(gap));
        let verdicts = occurrences.chars().zip(0..).map(|(verdict, event)| {
            let verdict = match verdict {
                'x' => DeadlineVerdict::Missed,
                '?' => DeadlineVerdict::Unknown,
                _ => DeadlineVerdict::Met,
            };
            (EventIndex(event), verdict)
        });
        let all = Occurrences {
            name: "sampling",
            verdicts: verdicts.collect(),
            unplaced: 0,
        };
        let max = max_missed.map(|it| max_missed_of(it).unwrap());
        let rule = DeadlineRule {
            line: 1,
            name: String::new(),
            deadline: NamePattern::new("s*".to_owned()),
            firm: (!firm.is_empty()).then(|| Firm::parse(firm).unwrap()),
            max_missed: max,
            window: RuleWindow::default(),
            accepts_gaps: false,
        };
        let scope = Scope::default();
        rule.check(&[all], &fixture.view(&scope))
    }

    fn max_missed_of(percent: i64) -> Result<Limit, String> {
        max_missed(&toml::Value::Integer(percent))
    }

    #[test]
    fn any_group_of_k_has_m_in_time() {
        for (firm, occurrences, outcome, message) in [
            (
                "2 of 3",
                ".x..x..x.",
                RuleOutcome::Passed,
                "at most 1 of 3 missed (sampling)",
            ),
            ("2 of 3", "..x.x....", RuleOutcome::Failed, "1 violation"),
            (
                "1 of 1",
                "....",
                RuleOutcome::Passed,
                "at most 0 of 1 missed (sampling)",
            ),
            // Whatever follows, a group with these two has too many misses.
            ("9 of 10", "xx", RuleOutcome::Failed, "1 violation"),
            (
                "9 of 10",
                "x",
                RuleOutcome::Undecided,
                "sampling has 1, fewer than 10",
            ),
            (
                "2 of 3",
                ".x?..",
                RuleOutcome::Undecided,
                "whether enough of sampling was in time is unknown",
            ),
            (
                "2 of 3",
                "?..?..",
                RuleOutcome::Passed,
                "at most 0 of 3 missed (sampling)",
            ),
            (
                "2 of 3",
                "",
                RuleOutcome::Undecided,
                "nothing of sampling was judged",
            ),
        ] {
            let result = check(firm, None, occurrences, &[]);
            assert_eq!(
                (result.outcome, &*result.message),
                (outcome, message),
                "{occurrences}"
            );
        }
    }

    #[test]
    fn the_worst_groups_are_named_with_their_events() {
        let result = check("3 of 4", None, "..x.x......xxx......x.x", &[]);
        assert_eq!(result.violations, 2 + 4 + 1);
        let found: Vec<_> = result
            .worst
            .iter()
            .map(|it| (&*it.found, it.event))
            .collect();
        assert_eq!(
            found,
            [
                ("3 of 4 missed: events 11, 12, 13", Some(11)),
                ("2 of 4 missed: events 2, 4", Some(2)),
                ("2 of 4 missed: events 20, 22", Some(20)),
            ]
        );
    }

    #[test]
    fn no_group_spans_missing_events() {
        assert_eq!(
            check("2 of 3", None, "..xx..", &[]).outcome,
            RuleOutcome::Failed
        );
        let result = check("2 of 3", None, "..xx..", &[3]);
        assert_eq!(result.outcome, RuleOutcome::Undecided);
        let expected = "at most 1 of 3 missed (sampling), but events are missing in 1 gap";
        assert_eq!(result.message, expected);
    }

    #[test]
    fn a_share_of_misses_has_a_maximum() {
        for (max, occurrences, outcome, message) in [
            (
                10,
                ".........x",
                RuleOutcome::Passed,
                "1 of 10 missed, 10.0 % (sampling)",
            ),
            (9, ".........x", RuleOutcome::Failed, "1 violation"),
            (
                10,
                "........?x",
                RuleOutcome::Undecided,
                "1 of 10 missed, 10.0 %, 1 unknown (sampling)",
            ),
            (
                20,
                "........?x",
                RuleOutcome::Passed,
                "1 of 10 missed, 10.0 % (sampling)",
            ),
        ] {
            let result = check("", Some(max), occurrences, &[]);
            assert_eq!(
                (result.outcome, &*result.message),
                (outcome, message),
                "{max}"
            );
        }
        let result = check("", Some(9), ".........x", &[]);
        assert_eq!(result.worst[0].found, "1 of 10 missed, 10.0 %");
        assert_eq!(result.worst[0].event, Some(9));
    }

    #[test]
    fn a_firm_limit_has_two_numbers() {
        assert_eq!(Firm::parse("9 of 10"), Ok(Firm { in_time: 9, of: 10 }));
        for text in [
            "",
            "9",
            "0 of 10",
            "11 of 10",
            "a of b",
            "9 of",
            "9 of 99999999999999999999",
        ] {
            assert!(Firm::parse(text).is_err(), "{text}");
        }
    }
}
