//! What happened.

mod kinds;
mod sentences;

use super::Content;
use super::field::columns;
use super::gathered::{Gathered, gathered, signed};
use super::key::{Key, known};
use super::lexicon::{Lexicon, Recent};
use crate::scene::Scene;
use crate::{Data, Texts, Values};
use kinds::Kinds;
use rtoscope_trace::event::{Arguments, Words};
use rtoscope_trace::{ContextId, Event, EventIndex, Events, KindId, Presence, Ticks};
use sentences::sentences;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use zerocopy::{FromBytes as _, IntoBytes as _};

columns! {
    enum Part;
    Event event: event,
        "the event's number in the recording; the first is 0";
    Time time: ticks,
        "when, since the first event of the recording";
    TimeNs time_ns: nanoseconds,
        "`time` as time";
    Stamp stamp: U64,
        "the stamp as recorded, not masked";
    Core core: U8,
        "the core that logged it";
    ContextId context_id: optional U32,
        "the context in which it happened";
    Context context: optional Word,
        "its name: of a thread or active object, `(interrupt)`, `(initialize)`, `(idle)`";
    Kind kind: Word,
        "what happened, such as `tx_queue_send`";
    Number number: U32,
        "the format's number for that";
    Component component: Word,
        "what it belongs to: `threadx`, `filex`, `user` …; of RKH the group";
    Priority priority: optional U16,
        "the running thread's priority; 0 is the highest";
    Threshold threshold: optional U16,
        "its preemption threshold, where that is recorded";
    Interrupted interrupted: optional Word,
        "in an interrupt the thread that it interrupted, or `(idle)`, where that is recorded";
    Argument1 argument1: optional U64,
        "the first argument as recorded; missing where the kind has none";
    Argument2 argument2: optional U64,
        "the second";
    Argument3 argument3: optional U64,
        "the third";
    Argument4 argument4: optional U64,
        "the fourth";
    Object object: optional Word,
        "the first object among the arguments: its name, or its address where it has none";
    Details details: Text,
        "the arguments by name, in words";
}

/// The events of a trace.
struct Listing<'a> {
    scene: Scene<'a>,
    contexts: OnceLock<Arc<Texts>>,
    kinds: OnceLock<Kinds<'a>>,
    objects: OnceLock<Lexicon>,
}

pub(super) fn rows<'a>(scene: Scene<'a>) -> Box<dyn Content<'a> + 'a> {
    Box::new(Listing {
        scene,
        contexts: OnceLock::new(),
        kinds: OnceLock::new(),
        objects: OnceLock::new(),
    })
}

impl<'a> Content<'a> for Listing<'a> {
    fn len(&self) -> usize {
        self.events().len()
    }

    fn values(&self, column: usize, rows: Range<usize>) -> Values<'a> {
        let events = self.events();
        let Some(part) = Part::ALL.get(column) else {
            return Data::Bool(Vec::new()).into();
        };
        match part {
            Part::Event => numbers(self.scene.trace().base.event, rows),
            Part::Time => self.times(rows),
            Part::TimeNs => self.times_as_time(rows),
            Part::Stamp => stamps(&events.stamp, rows),
            Part::Core => cores(events, rows),
            Part::ContextId => {
                let contexts = cut(&events.context, &rows).iter();
                let ids = contexts.map(|context| known(*context));
                gathered(ids, |ids| Data::U32(Cow::Owned(ids)))
            }
            Part::Context => self.names(cut(&events.context, &rows).iter().copied().map(Some)),
            Part::Kind => self.by_kind(rows, Kinds::words),
            Part::Number => {
                let kinds = cut(&events.kind, &rows).iter();
                Data::U32(kinds.map(|kind| kind.0).collect()).into()
            }
            Part::Component => self.by_kind(rows, Kinds::component_words),
            Part::Priority => {
                let mut column = Gathered::new(rows.len());
                events.visit_presences(rows, |presence| column.push(presence.priority()));
                column.finish(|all| Data::U16(Cow::Owned(all)))
            }
            Part::Threshold => {
                let mut column = Gathered::new(rows.len());
                events.visit_presences(rows, |presence| column.push(threshold(&presence)));
                column.finish(|all| Data::U16(Cow::Owned(all)))
            }
            Part::Interrupted => {
                let mut interrupted = Vec::with_capacity(rows.len());
                events.visit_presences(rows, |presence| interrupted.push(presence.interrupted()));
                self.names(interrupted.into_iter())
            }
            Part::Argument1 => self.argument(rows, 0),
            Part::Argument2 => self.argument(rows, 1),
            Part::Argument3 => self.argument(rows, 2),
            Part::Argument4 => self.argument(rows, 3),
            Part::Object => self.mentioned(rows),
            Part::Details => Data::Text(sentences(self.scene.trace(), rows)).into(),
        }
    }
}

impl<'a> Listing<'a> {
    fn events(&self) -> &'a Events {
        &self.scene.trace().events
    }

    fn times(&self, rows: Range<usize>) -> Values<'a> {
        let times = cut(&self.events().time, &rows);
        let base = self.scene.trace().base.time.0;
        let as_they_lie = (base == 0).then(|| as_signed(times)).flatten();
        let made = || {
            let times = times.iter().map(|time| base.saturating_add(*time));
            Cow::Owned(times.map(signed).collect())
        };
        Data::I64(as_they_lie.map_or_else(made, Cow::Borrowed)).into()
    }

    fn times_as_time(&self, rows: Range<usize>) -> Values<'a> {
        let times = cut(&self.events().time, &rows).iter();
        let times = times.map(|time| self.scene.time_ns(Ticks(*time)));
        gathered(times, |all| Data::I64(Cow::Owned(all)))
    }

    fn names(&self, contexts: impl ExactSizeIterator<Item = Option<ContextId>>) -> Values<'a> {
        let trace = self.scene.trace();
        let words = self.contexts.get_or_init(|| {
            let names = trace.contexts.iter();
            Arc::new(
                names
                    .map(|context| trace.context_name(context.id))
                    .collect(),
            )
        });
        let count = words.len();
        let codes = contexts.map(|context| {
            let context = context.filter(|context| context.index() < count);
            context.map(|context| context.0)
        });
        gathered(codes, |codes| Data::Word {
            words: Arc::clone(words),
            codes,
        })
    }

    fn kinds(&self) -> &Kinds<'a> {
        let make = || Kinds::of(&self.scene.trace().catalogue, &self.events().kind);
        self.kinds.get_or_init(make)
    }

    /// A word for each kind.
    fn by_kind(
        &self,
        rows: Range<usize>,
        words: for<'k> fn(&'k Kinds<'a>) -> (&'k Arc<Texts>, &'k [u32]),
    ) -> Values<'a> {
        let kinds = self.kinds();
        let (words, codes) = words(kinds);
        let events = cut(&self.events().kind, &rows).iter();
        let code = |kind: &KindId| codes.get(kinds.slot(*kind)).copied().unwrap_or_default();
        let codes = events.map(code).collect();
        let words = Arc::clone(words);
        Data::Word { words, codes }.into()
    }

    fn argument(&self, rows: Range<usize>, position: usize) -> Values<'a> {
        let (kinds, events) = (self.kinds(), self.events());
        let values = match &events.arguments {
            Arguments::Narrow(all) => cut(all, &rows)
                .iter()
                .map(|words| u64::from(words[position]))
                .collect(),
            Arguments::Wide(all) => cut(all, &rows)
                .iter()
                .map(|words| words[position])
                .collect(),
        };
        let all = cut(&events.kind, &rows).iter();
        let valid: Vec<_> = all
            .map(|kind| kinds.records(kinds.slot(*kind), position))
            .collect();
        Values {
            data: Data::U64(Cow::Owned(values)),
            valid: valid.contains(&false).then_some(valid),
        }
    }

    fn mentioned(&self, rows: Range<usize>) -> Values<'a> {
        let lexicon = self.objects.get_or_init(|| {
            Lexicon::new(&self.scene, |meet| {
                self.mentions(0..self.len(), |key| key.into_iter().for_each(&mut *meet));
            })
        });
        let mut column = Gathered::new(rows.len());
        let mut recent = Recent::new();
        self.mentions(rows, |key| {
            column.push(key.map(|key| lexicon.code(key, &mut recent)));
        });
        column.finish(|codes| Data::Word {
            words: Arc::clone(&lexicon.words),
            codes,
        })
    }

    /// Calls `see` with the first object that each event mentions.
    fn mentions(&self, rows: Range<usize>, see: impl FnMut(Option<Key>)) {
        match &self.events().arguments {
            Arguments::Narrow(all) => self.mentions_in(all, rows, see),
            Arguments::Wide(all) => self.mentions_in(all, rows, see),
        }
    }

    fn mentions_in<W: Copy + Into<u64>>(
        &self,
        arguments: &[[W; 4]],
        rows: Range<usize>,
        mut see: impl FnMut(Option<Key>),
    ) {
        let (kinds, events) = (self.kinds(), self.events());
        let arguments = cut(arguments, &rows).iter();
        let all = cut(&events.kind, &rows).iter().zip(arguments);
        for (row, (kind, arguments)) in rows.zip(all) {
            see(
                kinds.mention(*kind, |position| match arguments.get(position) {
                    Some(word) => Some((*word).into()),
                    None => {
                        let further = events.extras.words(EventIndex(row as u32));
                        further
                            .get(position - arguments.len())
                            .copied()
                            .map(u64::from)
                    }
                }),
            );
        }
    }
}

/// The preemption threshold that a record tells. Who ran says it, what happened
/// does not matter.
fn threshold(presence: &Presence) -> Option<u16> {
    let event = Event {
        index: presence.index,
        time: presence.time,
        stamp: 0,
        core: presence.core,
        context: presence.context,
        kind: KindId(0),
        standing: presence.standing,
        arguments: [0; 4],
    };
    event.threshold()
}

/// Times as numbers with a sign, not copied, if all of them can be.
fn as_signed(times: &[u64]) -> Option<&[i64]> {
    let fits = times.iter().all(|time| i64::try_from(*time).is_ok());
    let times = <[i64]>::ref_from_bytes(times.as_bytes());
    times.ok().filter(|_| fits)
}

/// The part of a column that has these rows.
fn cut<'a, T>(column: &'a [T], rows: &Range<usize>) -> &'a [T] {
    column.get(rows.clone()).unwrap_or_default()
}

fn numbers<'a>(base: u64, rows: Range<usize>) -> Values<'a> {
    let numbers = rows.map(|row| base.saturating_add(row as u64));
    Data::I64(numbers.map(signed).collect()).into()
}

fn stamps(stamps: &Words, rows: Range<usize>) -> Values<'_> {
    let stamps = match stamps {
        Words::Narrow(all) => cut(all, &rows).iter().copied().map(u64::from).collect(),
        Words::Wide(all) => Cow::Borrowed(cut(all, &rows)),
    };
    Data::U64(stamps).into()
}

fn cores(events: &Events, rows: Range<usize>) -> Values<'_> {
    let cores = if events.core.is_empty() {
        Cow::Owned(vec![0; rows.len()])
    } else {
        Cow::Borrowed(cut(&events.core, &rows))
    };
    Data::U8(cores).into()
}
