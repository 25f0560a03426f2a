//! Source of a target's SWO pin.

use super::interface::{Source, SourceError, SourceEvent};
use super::itm::ItmDecoder;
use super::tcp::{self, TcpSource};
use crate::address::{Scheme, SwoAddress};
use rtoscope_trace::diagnostic::pluralise;
use std::time::Duration;

/// A connection to a server that delivers the bytes of a target's SWO pin.
pub(super) struct SwoSource {
    tcp: TcpSource,
    stimulus: u8,
    itm: ItmDecoder,
    /// The bytes that the target wrote to the stimulus port.
    bytes: Vec<u8>,
    /// Overflows that were reported.
    overflows: u64,
    /// Number of received bytes, of the trace or not.
    received: u64,
}

/// Opens a connection to a server of SWO.
pub(super) fn open(address: &SwoAddress) -> Result<SwoSource, SourceError> {
    Ok(SwoSource {
        tcp: tcp::open(Scheme::Swo, &address.endpoint, String::new())?,
        stimulus: address.stimulus,
        itm: ItmDecoder::new(address.stimulus),
        bytes: Vec::new(),
        overflows: 0,
        received: 0,
    })
}

impl Source for SwoSource {
    fn next(&mut self, wait: Duration) -> SourceEvent<'_> {
        let new = self.itm.overflows() - self.overflows;
        if new > 0 {
            self.overflows += new;
            return SourceEvent::Message(format!(
                "the ITM overflowed ({}): bytes of the trace are lost",
                pluralise(new, "time", "times")
            ));
        }
        match self.tcp.next(wait) {
            SourceEvent::Bytes(bytes) => {
                self.received += bytes.len() as u64;
                self.bytes.clear();
                self.itm.decode(bytes, &mut self.bytes);
                match self.bytes.is_empty() {
                    true => SourceEvent::Nothing,
                    false => SourceEvent::Bytes(&self.bytes),
                }
            }
            SourceEvent::Connected(server) => {
                self.itm = ItmDecoder::new(self.stimulus);
                self.overflows = 0;
                SourceEvent::Connected(server)
            }
            other => other,
        }
    }

    fn prepare_end(&mut self) -> bool {
        self.tcp.prepare_end()
    }

    fn queued_bytes(&self) -> u64 {
        self.tcp.queued_bytes()
    }

    fn other_data(&self) -> Option<String> {
        (self.received > 0).then(|| {
            let bytes = pluralise(self.received, "byte", "bytes");
            format!("{bytes}, none for stimulus port {}", self.stimulus)
        })
    }
}
