//! Decodes a log into a trace.

use super::call_stacks;
use super::catalogue::catalogue;
use super::columns::{DecodeStats, LogColumns};
use super::context_ids::ContextIds;
use super::firmware::FirmwareFiles;
use super::formatted_events;
use super::log::{CoreLog, SwitchLog};
use super::log_diagnostics;
use super::log_info::{CoreLogInfo, LogInfo};
use super::options::CswitchOptions;
use super::symbolise::{self, ResolvedNames};
use super::timeline::{MergedTimeline, build_timeline};
use crate::black_box::BlackBox;
use rtoscope_trace::events::{ArgumentColumn, WordColumn};
use rtoscope_trace::{CodeLocation, EventColumns, Events, SwitchModel, Trace};
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::PointerSize;
use rtoscope_wire::cswitch::command::EntryGroup;

/// A decoded log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedLog {
    /// The trace.
    pub trace: Trace,
    /// Properties of the log apart from the trace.
    pub log_info: LogInfo,
}

/// Decodes a log.
pub fn decode(log: &SwitchLog<'_>, options: &CswitchOptions) -> DecodedLog {
    match log.layout.pointer {
        PointerSize::Four => decode_words(log, options, WordColumn::Narrow, ArgumentColumn::Narrow),
        PointerSize::Eight => decode_words(log, options, WordColumn::Wide, ArgumentColumn::Wide),
    }
}

fn decode_words<W: Word + Sync>(
    log: &SwitchLog<'_>,
    options: &CswitchOptions,
    words: impl Fn(Vec<W>) -> WordColumn,
    arguments: impl Fn(Vec<[W; 4]>) -> ArgumentColumn,
) -> DecodedLog {
    let mut known = ContextIds::new(&log.name_source);
    let decode = |(place, core): (usize, &CoreLog<'_>)| {
        LogColumns::decode(core, place, log.layout, &mut known)
    };
    let (columns, stats): (Vec<LogColumns<W>>, Vec<DecodeStats>) =
        log.cores.iter().enumerate().map(decode).unzip();
    let cores = core_infos(log, &columns, &stats);
    let mut timeline = build_timeline(log, columns, &stats, &options.clock);
    let firmware = FirmwareFiles(&options.firmware);
    let named = symbolise::resolve_names(&known, log, firmware, options.text_encoding);
    let mut diagnostics = log.diagnostics.clone();
    for file in &options.firmware {
        diagnostics.extend(file.diagnostics().clone());
    }
    diagnostics.extend(log_diagnostics::core_diagnostics(log, &stats, &timeline));
    let stacks = stats
        .iter()
        .any(|stats| stats.records_stacks)
        .then(|| call_stacks::read(&timeline, log.layout).unwind(&options.firmware));
    let (call_stacks, incomplete_stack) = stacks.unwrap_or_default();
    let (extras, unknown_formats) = formatted_events::items(
        &mut timeline.columns,
        known.format_values(),
        &options.firmware,
    );
    diagnostics.extend(unknown_formats);
    diagnostics.extend(std::mem::take(&mut timeline.diagnostics));
    diagnostics.extend(incomplete_stack);
    diagnostics.extend(log_diagnostics::name_diagnostics(
        &named,
        log.is_self_contained,
        log.name_source.stream.is_some(),
        firmware,
    ));
    let locate = |address| location_text(named.code_locations.get(address)?);
    let black_box = log.black_box.map(|header| BlackBox::new(header, locate));
    if let Some(black_box) = &black_box {
        diagnostics.push(black_box.diagnostic());
    }
    let reassigned = known.reassigned().iter();
    let reassigned = reassigned.filter_map(|(at, address, thread)| {
        Some((timeline.event(at.place, at.event)?, *address, *thread))
    });
    let reassigned = reassigned.collect();
    let MergedTimeline {
        columns,
        time,
        core,
        clock,
        gaps,
        ..
    } = timeline;
    let ResolvedNames {
        make_contexts: mut contexts,
        objects,
        code_locations: places,
        names,
        functions,
        stats: census,
    } = named;
    contexts.set_reassigned(reassigned);
    let with_events = cores.iter().filter(|core| core.entries > 0);
    let mut numbers: Vec<u8> = with_events.map(|core| core.core).collect();
    numbers.sort_unstable();
    DecodedLog {
        trace: Trace {
            origin: Default::default(),
            events: Events::new(EventColumns {
                time,
                timestamp: words(columns.timestamp),
                core,
                context: columns.context,
                kind: columns.kind,
                priority_word: columns.priority_word,
                arguments: arguments(columns.arguments),
                extras,
            }),
            contexts,
            objects,
            clock,
            cores: numbers,
            gaps,
            catalogue: catalogue(),
            switch_model: SwitchModel::Explicit {
                ends_handlers: false,
                records_returns: stats.iter().any(|stats| stats.records_handler_exits),
                records_states: stats.iter().any(|stats| stats.records_ready)
                    && stats.iter().any(|stats| stats.records_waits)
                    && !stats
                        .iter()
                        .any(|stats| stats.suppresses(EntryGroup::Readiness)),
            },
            code_locations: places,
            call_stacks,
            diagnostics,
        },
        log_info: LogInfo {
            layout: log.layout,
            is_self_contained: log.is_self_contained,
            black_box,
            cores,
            threads: census.threads,
            named_threads: census.threads - census.unnamed_threads(),
            addresses: census.addresses,
            resolved_addresses: census.resolved_addresses,
            names,
            functions,
        },
    }
}

/// The function and the line of a code address.
fn location_text(location: &CodeLocation) -> Option<String> {
    let function = location.function.as_ref()?;
    Some(match (&location.file, location.line) {
        (Some(file), Some(line)) => format!("{function}, {file}:{line}"),
        _ => function.to_string(),
    })
}

fn core_infos<W>(
    log: &SwitchLog<'_>,
    columns: &[LogColumns<W>],
    stats: &[DecodeStats],
) -> Vec<CoreLogInfo> {
    let cores = log.cores.iter().zip(columns).zip(stats);
    let origin =
        |((log, columns), stats): ((&CoreLog<'_>, &LogColumns<W>), &DecodeStats)| CoreLogInfo {
            core: log.core,
            entries: columns.kind.len() as u64,
            skipped_entries: stats.unknown_entries + stats.unfinished_entries,
            cyclic: log.cyclic,
            overwritten: log.overwritten,
            lost_entries: log.lost_entries,
            idle_ticks: log.idle_ticks,
        };
    cores.map(origin).collect()
}
