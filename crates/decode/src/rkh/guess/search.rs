//! The search for the configuration that the most frames fit.
//!
//! The sizes of stamps, addresses and signals matter to nearly all records, so
//! that all combinations are tried. The other settings matter to few, and fall
//! into groups that have no record in common: each group is tried by itself.

use super::sample::Sample;
use crate::rkh::plan::{Plan, header_bytes};
use crate::rkh::record::{self, Content};
use rtoscope_wire::rkh::config::KEYS;
use rtoscope_wire::rkh::record::record as record_of;
use rtoscope_wire::rkh::{ArgumentKind, Configuration, Dialect, Record, Shape, Value, Width};
use std::collections::HashSet;

/// What fits best.
pub(super) struct Found {
    pub(super) configuration: Configuration,
    /// Frames that fit.
    pub(super) fitting: u64,
    /// Frames that fit the best one with other stamps, addresses and signals.
    pub(super) runner_up: u64,
    pub(super) ambiguous: Vec<&'static str>,
}

/// Settings that records have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    Timers,
    /// Pools, and events out of them.
    Pools,
    /// Queues, who sends, and functions, which the record of a synchronous
    /// event ties together.
    Queues,
}

const GROUPS: [Group; 3] = [Group::Timers, Group::Pools, Group::Queues];

/// The best configuration of a dialect; `None` if no frame fits any.
pub(super) fn best(sample: &Sample, dialect: Dialect) -> Option<Found> {
    let search = Search::new(sample, dialect);
    let mut candidates: Vec<(u64, u64, Configuration)> = Vec::new();
    for configuration in common(sample, dialect) {
        let configuration = search.settle(configuration);
        let fitting = search.fitting(&configuration);
        candidates.push((fitting, search.oddness(&configuration, None), configuration));
    }
    // The first of equals is the most usual.
    candidates.sort_by_key(|(fitting, oddness, _)| (std::cmp::Reverse(*fitting), *oddness));
    let (fitting, _, configuration) = *candidates.first()?;
    if fitting == 0 {
        return None;
    }
    let mut ambiguous = search.ambiguous(&configuration);
    let mut runner_up = 0;
    for (other_fitting, _, other) in candidates.get(1..).unwrap_or_default() {
        if *other_fitting < fitting && runner_up > 0 {
            break;
        }
        if sample.reads_differently(&configuration, other) {
            runner_up = runner_up.max(*other_fitting);
            if *other_fitting == fitting {
                ambiguous.extend(differing(&configuration, other));
            }
        }
    }
    let is_ambiguous = |key: &&'static str| ambiguous.contains(key);
    Some(Found {
        configuration,
        fitting,
        runner_up,
        ambiguous: KEYS
            .iter()
            .map(|key| key.name)
            .filter(is_ambiguous)
            .collect(),
    })
}

/// All sizes of what nearly every record has, the most usual first.
fn common(sample: &Sample, dialect: Dialect) -> Vec<Configuration> {
    let stamps = [Some(Width::Four), Some(Width::Two), Some(Width::One), None];
    let mut all = Vec::new();
    for stamp in stamps {
        for pointer in [Width::Four, Width::Two] {
            for signal in [Width::One, Width::Two, Width::Four] {
                all.push(Configuration {
                    sequence: sample.sequence,
                    checksum: sample.checksum,
                    stamp,
                    pointer,
                    function: pointer,
                    signal,
                    dialect,
                    ..Configuration::default()
                });
            }
        }
    }
    all
}

/// The keys in which two configurations differ.
fn differing<'a>(
    one: &'a Configuration,
    other: &'a Configuration,
) -> impl Iterator<Item = &'static str> + 'a {
    let keys = KEYS.iter().map(|key| key.name);
    keys.filter(|key| one.get(key) != other.get(key))
}

struct Search<'a> {
    sample: &'a Sample,
    /// The frames of each length that are records of the dialect.
    bins: Vec<(&'static Record, usize, u64)>,
}

impl<'a> Search<'a> {
    fn new(sample: &'a Sample, dialect: Dialect) -> Self {
        let bins = sample.lengths.iter().filter_map(|(id, length, count)| {
            let record = record_of(dialect, *id).filter(|record| !record.bare)?;
            Some((record, *length, *count))
        });
        Self {
            sample,
            bins: bins.collect(),
        }
    }

    /// The configuration with the best settings of each group.
    fn settle(&self, configuration: Configuration) -> Configuration {
        GROUPS
            .into_iter()
            .fold(configuration, |configuration, group| {
                let equals = self.equals(&configuration, group);
                let odd = |candidate: &Configuration| self.oddness(candidate, Some(group));
                // The first of equals is the most usual.
                match equals.as_slice() {
                    [only] => *only,
                    _ => equals.into_iter().min_by_key(odd).unwrap_or(configuration),
                }
            })
    }

    /// The settings of a group that the most frames fit; of those that cut all
    /// of them into the same arguments the most usual.
    fn equals(&self, configuration: &Configuration, group: Group) -> Vec<Configuration> {
        let all = settings(configuration, group).into_iter();
        let scored = all.map(|candidate| (self.fitting_of(&candidate, Some(group)), candidate));
        let scored: Vec<_> = scored.collect();
        let most = scored.iter().map(|(fitting, _)| *fitting).max();
        let mut cuts = HashSet::new();
        let equals = scored
            .into_iter()
            .filter(|(fitting, _)| Some(*fitting) == most);
        let different = equals.filter(|(_, candidate)| cuts.insert(self.cut(candidate, group)));
        different.map(|(_, candidate)| candidate).collect()
    }

    /// The sizes of all arguments of a group's records, as far as their frames
    /// fit.
    fn cut(&self, configuration: &Configuration, group: Group) -> Vec<Option<usize>> {
        let bins = self.bins.iter().filter(|(record, length, _)| {
            group_of(record) == Some(group) && length_of(record, configuration) == Some(*length)
        });
        let arguments = bins.flat_map(|(record, ..)| record.arguments);
        arguments
            .map(|argument| argument.kind.width(configuration))
            .collect()
    }

    /// How many frames are records of a configuration.
    fn fitting(&self, configuration: &Configuration) -> u64 {
        let plan = Plan::new(*configuration);
        let fixed = self.fitting_of(configuration, None);
        let others = self.sample.kept.iter().map(|(id, kept)| {
            let record = record_of(configuration.dialect, *id);
            if record.is_none_or(|record| record.bare || is_fixed(record)) {
                return 0;
            }
            let all = self.sample.lengths.iter().filter(|(other, ..)| other == id);
            let all: u64 = all.map(|(_, _, count)| count).sum();
            let sound = kept
                .iter()
                .filter(|frame| record::read(&plan, frame).is_ok());
            all * sound.count() as u64 / kept.len().max(1) as u64
        });
        fixed + others.sum::<u64>()
    }

    /// The same of records of fixed length, those of a group or all.
    fn fitting_of(&self, configuration: &Configuration, group: Option<Group>) -> u64 {
        let bins = self.bins.iter().filter(|(record, length, _)| {
            group.is_none_or(|group| group_of(record) == Some(group))
                && length_of(record, configuration) == Some(*length)
        });
        bins.map(|(_, _, count)| count).sum()
    }

    /// How large the counts in the frames are by a configuration, those of a
    /// group's records or all: wrong ones are made of several arguments.
    fn oddness(&self, configuration: &Configuration, group: Option<Group>) -> u64 {
        let plan = Plan::new(*configuration);
        let mut odd = 0;
        for (id, kept) in &self.sample.kept {
            let Some(record) = record_of(configuration.dialect, *id) else {
                continue;
            };
            if group.is_some_and(|group| group_of(record) != Some(group)) {
                continue;
            }
            for frame in kept {
                let Ok((_, Content::Values(values, _))) = record::read(&plan, frame) else {
                    continue;
                };
                let arguments = record.arguments.iter().zip(values);
                let counts = arguments.filter(|(argument, _)| is_small(argument.kind));
                odd += counts.map(|(_, value)| bits(value)).sum::<u64>();
            }
        }
        odd
    }

    /// The keys of settings of a group that could be others, so that as many
    /// frames fit with other arguments.
    fn ambiguous(&self, configuration: &Configuration) -> Vec<&'static str> {
        let mut keys = Vec::new();
        for group in GROUPS {
            for other in self.equals(configuration, group) {
                if self.sample.reads_differently(configuration, &other) {
                    keys.extend(self.that_matter(configuration, &other));
                }
            }
        }
        keys
    }

    /// The keys in which another configuration differs, without those that no
    /// record depends on.
    fn that_matter(&self, one: &Configuration, other: &Configuration) -> Vec<&'static str> {
        let matters = |key: &&'static str| {
            let mut changed = *one;
            let value = other.get(key).unwrap_or_default();
            changed.set(key, value).is_ok()
                && self
                    .bins
                    .iter()
                    .any(|(record, ..)| length_of(record, &changed) != length_of(record, one))
        };
        differing(one, other).filter(matters).collect()
    }
}

/// How many bits a number takes.
fn bits(value: Value<'_>) -> u64 {
    match value {
        Value::Number(number) => u64::from(u32::BITS - number.leading_zeros()),
        Value::Text(_) => 0,
    }
}

fn is_fixed(record: &Record) -> bool {
    record.shape == Shape::Fixed
        && record
            .arguments
            .iter()
            .all(|argument| argument.kind != ArgumentKind::Text)
}

/// Bytes of a record of fixed length.
fn length_of(record: &Record, configuration: &Configuration) -> Option<usize> {
    if record.shape != Shape::Fixed {
        return None;
    }
    let arguments = record.arguments.iter();
    let arguments = arguments.map(|argument| argument.kind.width(configuration));
    let arguments = arguments.sum::<Option<usize>>()?;
    let checksum = usize::from(configuration.checksum);
    Some(header_bytes(configuration) + arguments + checksum)
}

/// The group of settings that a record depends on.
fn group_of(record: &Record) -> Option<Group> {
    record
        .arguments
        .iter()
        .find_map(|argument| match argument.kind {
            ArgumentKind::Ticks => Some(Group::Timers),
            ArgumentKind::Blocks
            | ArgumentKind::BlocksMinimum
            | ArgumentKind::BlockSize
            | ArgumentKind::EventSize => Some(Group::Pools),
            ArgumentKind::Elements
            | ArgumentKind::ElementsMinimum
            | ArgumentKind::Sender(_)
            | ArgumentKind::Function => Some(Group::Queues),
            _ => None,
        })
}

/// Whether an argument is a number that is small in most firmware.
fn is_small(kind: ArgumentKind) -> bool {
    matches!(
        kind,
        ArgumentKind::Ticks
            | ArgumentKind::Blocks
            | ArgumentKind::BlocksMinimum
            | ArgumentKind::BlockSize
            | ArgumentKind::EventSize
            | ArgumentKind::Elements
            | ArgumentKind::ElementsMinimum
            | ArgumentKind::EventPool0
            | ArgumentKind::EventPool1
            | ArgumentKind::References
            | ArgumentKind::Role
            | ArgumentKind::Signal
    )
}

/// A configuration with all settings of a group, the most usual first.
fn settings(configuration: &Configuration, group: Group) -> Vec<Configuration> {
    const SIZES: [Width; 3] = [Width::One, Width::Two, Width::Four];
    let mut all = vec![*configuration];
    let mut vary = |variants: &[fn(&mut Configuration)]| {
        let varied = all.iter().flat_map(|one| {
            variants.iter().map(|change| {
                let mut changed = *one;
                change(&mut changed);
                changed
            })
        });
        all = varied.collect();
    };
    match group {
        Group::Timers => {
            vary(&[
                |it| it.timer = SIZES[1],
                |it| it.timer = SIZES[0],
                |it| it.timer = SIZES[2],
            ]);
        }
        Group::Pools => {
            vary(&[|it| it.pool_marks = false, |it| it.pool_marks = true]);
            vary(&[
                |it| it.event_size = SIZES[1],
                |it| it.event_size = SIZES[0],
                |it| it.event_size = SIZES[2],
            ]);
            vary(&[
                |it| it.block_size = SIZES[0],
                |it| it.block_size = SIZES[1],
                |it| it.block_size = SIZES[2],
            ]);
            vary(&[
                |it| it.blocks = SIZES[0],
                |it| it.blocks = SIZES[1],
                |it| it.blocks = SIZES[2],
            ]);
        }
        Group::Queues => {
            vary(&[|it| it.sender = false, |it| it.sender = true]);
            vary(&[|it| it.queue_marks = false, |it| it.queue_marks = true]);
            vary(&[
                |it| it.function = it.pointer,
                |it| {
                    it.function = match it.pointer {
                        Width::Two => Width::Four,
                        _ => Width::Two,
                    }
                },
            ]);
            vary(&[
                |it| it.elements = SIZES[0],
                |it| it.elements = SIZES[1],
                |it| it.elements = SIZES[2],
            ]);
        }
    }
    all
}
