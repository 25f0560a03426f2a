//! A log made into a trace.

use super::catalogue::catalogue;
use super::columns::{Columns, Met};
use super::firmware::Files;
use super::log::{CoreLog, Log};
use super::names::Known;
use super::options::Options;
use super::origin::{CoreOrigin, Origin};
use super::report;
use super::symbolise::{self, Named};
use super::timeline::{Timeline, timeline};
use rtoscope_trace::event::{Arguments, Words};
use rtoscope_trace::extras::Extras;
use rtoscope_trace::{Events, Telling, Trace};
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::PointerSize;

/// A decoded log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// What happened.
    pub trace: Trace,
    /// What the log says beside that.
    pub origin: Origin,
}

/// Decodes a log.
pub fn decode(log: &Log<'_>, options: &Options) -> Recording {
    match log.shape.pointer {
        PointerSize::Four => decode_words(log, options, Words::Narrow, Arguments::Narrow),
        PointerSize::Eight => decode_words(log, options, Words::Wide, Arguments::Wide),
    }
}

fn decode_words<W: Word + Sync>(
    log: &Log<'_>,
    options: &Options,
    words: impl Fn(Vec<W>) -> Words,
    arguments: impl Fn(Vec<[W; 4]>) -> Arguments,
) -> Recording {
    let mut known = Known::new();
    let decode = |core: &CoreLog<'_>| Columns::decode(core, log.shape, &mut known);
    let (columns, met): (Vec<Columns<W>>, Vec<Met>) = log.cores.iter().map(decode).unzip();
    let cores = cores(log, &columns, &met);
    let timeline = timeline(log, columns, &met, &options.clock);
    let firmware = Files(&options.firmware);
    let named = symbolise::name(&known, log, firmware);
    let mut diagnostics = log.diagnostics.clone();
    for file in &options.firmware {
        diagnostics.extend(file.diagnostics().clone());
    }
    diagnostics.extend(report::cores(log, &met, &timeline));
    diagnostics.extend(timeline.diagnostics);
    diagnostics.extend(report::names(&named, log.contained, firmware));
    let Timeline {
        columns,
        time,
        core,
        clock,
        gaps,
        ..
    } = timeline;
    let Named {
        contexts,
        objects,
        places,
        names,
        functions,
        census,
    } = named;
    let with_events = cores.iter().filter(|core| core.entries > 0);
    let mut numbers: Vec<u8> = with_events.map(|core| core.core).collect();
    numbers.sort_unstable();
    Recording {
        trace: Trace {
            base: Default::default(),
            events: Events {
                time,
                stamp: words(columns.stamp),
                core,
                context: columns.context,
                kind: columns.kind,
                standing: columns.standing,
                arguments: arguments(columns.arguments),
                extras: Extras::default(),
            },
            contexts,
            objects,
            clock,
            cores: numbers,
            gaps,
            catalogue: catalogue(),
            telling: Telling::Switches {
                returns: met.iter().any(|met| met.returns),
            },
            places,
            diagnostics,
        },
        origin: Origin {
            shape: log.shape,
            contained: log.contained,
            cores,
            threads: census.threads,
            named_threads: census.threads - census.nameless(),
            addresses: census.addresses,
            placed_addresses: census.placed,
            names,
            functions,
        },
    }
}

fn cores<W>(log: &Log<'_>, columns: &[Columns<W>], met: &[Met]) -> Vec<CoreOrigin> {
    let cores = log.cores.iter().zip(columns).zip(met);
    let origin = |((log, columns), met): ((&CoreLog<'_>, &Columns<W>), &Met)| CoreOrigin {
        core: log.core,
        entries: columns.kind.len() as u64,
        left_out: met.unknown + met.unfinished,
        cyclic: log.cyclic,
        wrapped: log.wrapped,
        lost: log.lost,
        idle: log.idle,
    };
    cores.map(origin).collect()
}
