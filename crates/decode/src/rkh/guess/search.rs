//! Searches for the configuration that fits the most frames.
//!
//! The sizes of timestamps, addresses and signals affect nearly all records, so
//! the search tries all combinations. The other settings affect few records,
//! and form groups without a common record: the search tries each group
//! separately.

use super::framing::Framing;
use super::sample::FrameSample;
use crate::rkh::record_content::{self, RecordContent};
use crate::rkh::record_layout::RecordPlan;
use rtoscope_wire::rkh::config::CONFIGURATION_KEYS;
use rtoscope_wire::rkh::record::record_spec as record_of;
use rtoscope_wire::rkh::{
    ArgumentKind, ArgumentLayout, ArgumentValue, Dialect, FieldWidth, RecordSpec,
    StreamConfiguration,
};
use std::collections::HashSet;

/// The best configuration.
pub(super) struct BestFit {
    pub(super) configuration: StreamConfiguration,
    /// Frames that fit.
    pub(super) fitting_frames: u64,
    /// Frames that fit the best configuration with other sizes of timestamps,
    /// addresses and signals.
    pub(super) runner_up_frames: u64,
    pub(super) ambiguous: Vec<&'static str>,
}

/// Settings that affect the same records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SettingGroup {
    Timers,
    /// Pools, and events allocated from them.
    Pools,
    /// Queues, senders and functions, which the record of a synchronous event
    /// connects.
    Queues,
}

const SETTING_GROUPS: [SettingGroup; 3] = [
    SettingGroup::Timers,
    SettingGroup::Pools,
    SettingGroup::Queues,
];

/// The best configuration of a dialect; `None` if no frame fits any.
pub(super) fn best_fit(sample: &FrameSample<'_>, dialect: Dialect) -> Option<BestFit> {
    let search = ConfigurationSearch::new(sample, dialect);
    let mut candidates: Vec<(u64, u64, StreamConfiguration)> = Vec::new();
    for configuration in common_layouts(sample, dialect) {
        let configuration = search.refine(configuration);
        let fitting = search.count_fitting(&configuration);
        candidates.push((fitting, search.oddness(&configuration, None), configuration));
    }
    // Most fitting frames first, then the smallest counts. The sort is stable, so among
    // equals the most common layout comes first.
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
                ambiguous.extend(differing_keys(&configuration, other));
            }
        }
    }
    let is_ambiguous = |key: &&'static str| ambiguous.contains(key);
    Some(BestFit {
        configuration,
        fitting_frames: fitting,
        runner_up_frames: runner_up,
        ambiguous: CONFIGURATION_KEYS
            .iter()
            .map(|key| key.name)
            .filter(is_ambiguous)
            .collect(),
    })
}

/// All sizes of the fields in nearly every record, the most common first.
fn common_layouts(sample: &FrameSample<'_>, dialect: Dialect) -> Vec<StreamConfiguration> {
    const TIMESTAMPS: [Option<FieldWidth>; 4] = [
        Some(FieldWidth::Four),
        Some(FieldWidth::Two),
        Some(FieldWidth::One),
        None,
    ];
    let Framing {
        configuration,
        is_timestamp_known,
    } = sample.framing;
    let timestamps = match is_timestamp_known {
        true => std::slice::from_ref(&configuration.timestamp),
        false => &TIMESTAMPS,
    };
    let mut all = Vec::new();
    for &stamp in timestamps {
        for pointer in [FieldWidth::Four, FieldWidth::Two] {
            for signal in [FieldWidth::One, FieldWidth::Two, FieldWidth::Four] {
                all.push(StreamConfiguration {
                    timestamp: stamp,
                    pointer,
                    function: pointer,
                    signal,
                    dialect,
                    ..configuration
                });
            }
        }
    }
    all
}

/// The keys in which two configurations differ.
fn differing_keys<'a>(
    one: &'a StreamConfiguration,
    other: &'a StreamConfiguration,
) -> impl Iterator<Item = &'static str> + 'a {
    let keys = CONFIGURATION_KEYS.iter().map(|key| key.name);
    keys.filter(|key| one.get(key) != other.get(key))
}

struct ConfigurationSearch<'a> {
    sample: &'a FrameSample<'a>,
    /// The frames of each length that are records of the dialect.
    bins: Vec<(&'static RecordSpec, usize, u64)>,
}

impl<'a> ConfigurationSearch<'a> {
    fn new(sample: &'a FrameSample<'a>, dialect: Dialect) -> Self {
        let bins = sample.lengths.iter().filter_map(|(id, length, count)| {
            let record = record_of(dialect, *id).filter(|record| !record.headerless)?;
            Some((record, *length, *count))
        });
        Self {
            sample,
            bins: bins.collect(),
        }
    }

    /// The configuration with the best settings of each group.
    fn refine(&self, configuration: StreamConfiguration) -> StreamConfiguration {
        SETTING_GROUPS
            .into_iter()
            .fold(configuration, |configuration, group| {
                let equals = self.best_settings(&configuration, group);
                let odd = |candidate: &StreamConfiguration| self.oddness(candidate, Some(group));
                // Among equals, the first is the most common one.
                match equals.as_slice() {
                    [only] => *only,
                    _ => equals.into_iter().min_by_key(odd).unwrap_or(configuration),
                }
            })
    }

    /// The settings of a group that fit the most frames; among those that split
    /// all frames into the same arguments, the most common one.
    fn best_settings(
        &self,
        configuration: &StreamConfiguration,
        group: SettingGroup,
    ) -> Vec<StreamConfiguration> {
        let all = settings(configuration, group).into_iter();
        let scored =
            all.map(|candidate| (self.count_fitting_in(&candidate, Some(group)), candidate));
        let scored: Vec<_> = scored.collect();
        let max = scored.iter().map(|(fitting, _)| *fitting).max();
        let mut cuts = HashSet::new();
        let equals = scored
            .into_iter()
            .filter(|(fitting, _)| Some(*fitting) == max);
        let different =
            equals.filter(|(_, candidate)| cuts.insert(self.argument_sizes(candidate, group)));
        different.map(|(_, candidate)| candidate).collect()
    }

    /// The sizes of all arguments of a group's records, for records with
    /// fitting frames.
    fn argument_sizes(
        &self,
        configuration: &StreamConfiguration,
        group: SettingGroup,
    ) -> Vec<Option<usize>> {
        let bins = self.bins.iter().filter(|(record, length, _)| {
            group_of(record) == Some(group) && record_length(record, configuration) == Some(*length)
        });
        let arguments = bins.flat_map(|(record, ..)| record.arguments);
        arguments
            .map(|argument| argument.kind.width(configuration))
            .collect()
    }

    /// Number of frames that are records of a configuration.
    fn count_fitting(&self, configuration: &StreamConfiguration) -> u64 {
        let plan = RecordPlan::new(*configuration);
        // The length alone decides for records of fixed length. Records of variable length
        // must be read: the kept ones are a sample of all frames of their id.
        let fixed = self.count_fitting_in(configuration, None);
        let others = self.sample.frames_by_id.iter().map(|(id, kept)| {
            let record = record_of(configuration.dialect, *id);
            if record.is_none_or(|record| record.headerless || is_fixed(record)) {
                return 0;
            }
            let all = self.sample.lengths.iter().filter(|(other, ..)| other == id);
            let all: u64 = all.map(|(_, _, count)| count).sum();
            let sound = kept.iter().filter(|frame| {
                record_content::read(&plan, self.sample.own_records, frame).is_ok()
            });
            all * sound.count() as u64 / kept.len().max(1) as u64
        });
        fixed + others.sum::<u64>()
    }

    /// The same for records of fixed length, of a group or all.
    fn count_fitting_in(
        &self,
        configuration: &StreamConfiguration,
        group: Option<SettingGroup>,
    ) -> u64 {
        let bins = self.bins.iter().filter(|(record, length, _)| {
            group.is_none_or(|group| group_of(record) == Some(group))
                && record_length(record, configuration) == Some(*length)
        });
        bins.map(|(_, _, count)| count).sum()
    }

    /// The magnitude of the counts in the frames under a configuration, for a
    /// group's records or all: in a wrong configuration, counts consist of
    /// parts of several arguments and are large.
    fn oddness(&self, configuration: &StreamConfiguration, group: Option<SettingGroup>) -> u64 {
        let plan = RecordPlan::new(*configuration);
        let mut odd = 0;
        for (id, kept) in &self.sample.frames_by_id {
            let Some(record) = record_of(configuration.dialect, *id) else {
                continue;
            };
            if group.is_some_and(|group| group_of(record) != Some(group)) {
                continue;
            }
            for frame in kept {
                let Ok((_, RecordContent::Values(values, _))) =
                    record_content::read(&plan, self.sample.own_records, frame)
                else {
                    continue;
                };
                let arguments = record.arguments.iter().zip(values);
                let counts = arguments.filter(|(argument, _)| is_small(argument.kind));
                odd += counts.map(|(_, value)| bit_length(value)).sum::<u64>();
            }
        }
        odd
    }

    /// The keys of ambiguous settings: with other values as many frames fit,
    /// but with other arguments.
    fn ambiguous(&self, configuration: &StreamConfiguration) -> Vec<&'static str> {
        let mut keys = Vec::new();
        for group in SETTING_GROUPS {
            for other in self.best_settings(configuration, group) {
                if self.sample.reads_differently(configuration, &other) {
                    keys.extend(self.differing_keys_used(configuration, &other));
                }
            }
        }
        keys
    }

    /// The keys in which another configuration differs, without those that no
    /// record depends on.
    fn differing_keys_used(
        &self,
        one: &StreamConfiguration,
        other: &StreamConfiguration,
    ) -> Vec<&'static str> {
        // Change one key at a time: a key matters if the length of any record changes.
        let matters = |key: &&'static str| {
            let mut changed = *one;
            let value = other.get(key).unwrap_or_default();
            changed.set(key, value).is_ok()
                && self.bins.iter().any(|(record, ..)| {
                    record_length(record, &changed) != record_length(record, one)
                })
        };
        differing_keys(one, other).filter(matters).collect()
    }
}

/// Number of significant bits of a number.
fn bit_length(value: ArgumentValue<'_>) -> u64 {
    match value {
        ArgumentValue::Number(number) => u64::from(u32::BITS - number.leading_zeros()),
        ArgumentValue::Text(_) => 0,
    }
}

fn is_fixed(record: &RecordSpec) -> bool {
    record.layout == ArgumentLayout::Fixed
        && record
            .arguments
            .iter()
            .all(|argument| argument.kind != ArgumentKind::Text)
}

/// Length of a record of fixed length, in bytes.
fn record_length(record: &RecordSpec, configuration: &StreamConfiguration) -> Option<usize> {
    if record.layout != ArgumentLayout::Fixed {
        return None;
    }
    let arguments = record.arguments.iter();
    let arguments = arguments.map(|argument| argument.kind.width(configuration));
    let arguments = arguments.sum::<Option<usize>>()?;
    let checksum = usize::from(configuration.checksum);
    Some(configuration.header_len() + arguments + checksum)
}

/// The setting group that a record depends on.
fn group_of(record: &RecordSpec) -> Option<SettingGroup> {
    record
        .arguments
        .iter()
        .find_map(|argument| match argument.kind {
            ArgumentKind::Ticks => Some(SettingGroup::Timers),
            ArgumentKind::Blocks
            | ArgumentKind::BlocksMinimum
            | ArgumentKind::BlockSize
            | ArgumentKind::EventSize => Some(SettingGroup::Pools),
            ArgumentKind::Elements
            | ArgumentKind::ElementsMinimum
            | ArgumentKind::Sender(_)
            | ArgumentKind::Function => Some(SettingGroup::Queues),
            _ => None,
        })
}

/// Whether an argument is a small number in most firmware.
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

/// The variants of a configuration with all settings of a group, the most
/// common first.
fn settings(configuration: &StreamConfiguration, group: SettingGroup) -> Vec<StreamConfiguration> {
    const SIZES: [FieldWidth; 3] = [FieldWidth::One, FieldWidth::Two, FieldWidth::Four];
    let mut all = vec![*configuration];
    let mut vary = |variants: &[fn(&mut StreamConfiguration)]| {
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
        SettingGroup::Timers => {
            vary(&[
                |it| it.timer_ticks = SIZES[1],
                |it| it.timer_ticks = SIZES[0],
                |it| it.timer_ticks = SIZES[2],
            ]);
        }
        SettingGroup::Pools => {
            vary(&[
                |it| it.pool_low_water = false,
                |it| it.pool_low_water = true,
            ]);
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
                |it| it.block_count = SIZES[0],
                |it| it.block_count = SIZES[1],
                |it| it.block_count = SIZES[2],
            ]);
        }
        SettingGroup::Queues => {
            vary(&[|it| it.sender = false, |it| it.sender = true]);
            vary(&[
                |it| it.queue_low_water = false,
                |it| it.queue_low_water = true,
            ]);
            vary(&[
                |it| it.function = it.pointer,
                |it| {
                    it.function = match it.pointer {
                        FieldWidth::Two => FieldWidth::Four,
                        _ => FieldWidth::Two,
                    }
                },
            ]);
            vary(&[
                |it| it.element_count = SIZES[0],
                |it| it.element_count = SIZES[1],
                |it| it.element_count = SIZES[2],
            ]);
        }
    }
    all
}
