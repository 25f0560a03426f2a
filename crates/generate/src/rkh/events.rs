//! Events and their pools.

use super::address;
use super::tracer::Tracer;
use rtoscope_record::rkh::Address;

macro_rules! signals {
    ($($name:ident $text:literal,)*) => {
        /// Signals of events.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Signal {
            $($name,)*
        }

        impl Signal {
            /// All signals with their names, in the order of their numbers.
            pub(super) const ALL: &[(Self, &str)] = &[$((Self::$name, $text),)*];
        }
    };
}

signals! {
    Timeout "TIMEOUT",
    Request "REQUEST",
    Grant "GRANT",
    Done "DONE",
    Tick "TICK",
    Alarm "ALARM",
    Close "CLOSE",
    Open "OPEN",
}

impl Signal {
    pub(super) fn number(self) -> u32 {
        self as u32
    }
}

/// An event in a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RkhEvent {
    pub(super) signal: Signal,
    /// The pool of its memory; `None` for an event in constant memory.
    pub(super) pool: Option<u8>,
    /// Queues and steps that reference it, if it comes from a pool.
    pub(super) references: u8,
    /// The active object that it concerns.
    pub(super) about: u8,
}

impl RkhEvent {
    /// An event in constant memory.
    pub(super) fn constant(signal: Signal) -> Self {
        Self {
            signal,
            pool: None,
            references: 0,
            about: 0,
        }
    }

    /// Its pool as in most records: counted from 1, 0 for none.
    pub(super) fn pool_from_one(&self) -> u8 {
        self.pool.map_or(0, |pool| pool + 1)
    }

    /// Adds a reference.
    pub(super) fn hold(&mut self) {
        if self.pool.is_some() {
            self.references += 1;
        }
    }
}

/// A pool of events of equal size.
#[derive(Debug)]
pub(super) struct EventPool {
    pub(super) number: u8,
    pub(super) blocks: u8,
    pub(super) event_bytes: u8,
    free: u8,
    min_free: u8,
}

impl EventPool {
    pub(super) fn new(number: u8, blocks: u8, event_bytes: u8) -> Self {
        Self {
            number,
            blocks,
            event_bytes,
            free: blocks,
            min_free: blocks,
        }
    }

    fn used(&self) -> u32 {
        (self.blocks - self.free).into()
    }

    /// Allocates an event, if there is room.
    pub(super) fn make(
        &mut self,
        tracer: &mut Tracer<'_>,
        signal: Signal,
        about: u8,
        actor: Address,
    ) -> Option<RkhEvent> {
        self.free = self.free.checked_sub(1)?;
        self.min_free = self.min_free.min(self.free);
        let (number, pool) = (self.number, address::pool(self.number));
        let (free, min_free) = (self.free.into(), self.min_free.into());
        let (bytes, used) = (self.event_bytes.into(), self.used());
        tracer.put("MP GET", |recorder| recorder.mp_get(pool, free, min_free));
        tracer.put("FWK AE", |recorder| {
            recorder.fwk_ae(bytes, signal.number(), number, 0, used, min_free, actor);
        });
        Some(RkhEvent {
            signal,
            pool: Some(number),
            references: 0,
            about,
        })
    }

    /// Releases a reference to an event of the pool.
    pub(super) fn release(&mut self, tracer: &mut Tracer<'_>, event: &RkhEvent, actor: Address) {
        let signal = event.signal.number();
        if event.references > 1 {
            let (pool, references) = (event.pool_from_one(), event.references - 1);
            tracer.put("FWK GC", |recorder| {
                recorder.fwk_gc(signal, pool, references);
            });
            return;
        }
        let (number, pool, min_free) = (self.number, address::pool(self.number), self.min_free);
        self.free += 1;
        let (used, free) = (self.used(), self.free.into());
        tracer.put("FWK GCR", |recorder| {
            recorder.fwk_gcr(signal, number, 1, used, min_free.into(), actor);
        });
        tracer.put("MP PUT", |recorder| recorder.mp_put(pool, free));
    }
}
