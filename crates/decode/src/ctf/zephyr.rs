//! Streams of Zephyr without their metadata, which are built in.

use super::field_class::Metadata;
use super::trace_set::{self, OpenTrace, TraceFiles};
use super::{no_event, tsdl};
use crate::mapping::MappingOptions;
use crate::{DecodeError, DecodedRecording};
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};

/// The metadata, with words for what depends on the configuration.
const METADATA: &str = include_str!("zephyr.tsdl");

/// The magic number at the start of each slot of the ring.
const SLOT_MAGIC: [u8; 4] = 0xC1FC_1FC1_u32.to_le_bytes();

const SLOT_HEADER: &str = "packet.header := struct { uint32_t magic; };";
const SLOT_CONTEXT: &str = "packet.context := struct { uint64_t timestamp_begin; \
    uint64_t timestamp_end; uint32_t content_size; uint32_t packet_size; \
    uint64_t packet_seq_num; };";

/// Nanoseconds.
const CLOCK: &str = "clock { name = cycles; freq = 1000000000; };";

/// What the configuration of a target decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Variant {
    timestamp: &'static str,
    is_smp: bool,
}

/// The likely ones first.
const VARIANTS: [Variant; 4] = [
    Variant {
        timestamp: "uint32_t",
        is_smp: false,
    },
    Variant {
        timestamp: "uint32_t",
        is_smp: true,
    },
    Variant {
        timestamp: "uint64_t",
        is_smp: false,
    },
    Variant {
        timestamp: "uint64_t",
        is_smp: true,
    },
];

impl Variant {
    fn metadata(self, is_ring: bool) -> Result<Metadata, String> {
        let [header, context] = match is_ring {
            true => [SLOT_HEADER, SLOT_CONTEXT],
            false => ["", ""],
        };
        let text = METADATA
            .replace("PACKET_HEADER", header)
            .replace("PACKET_CONTEXT", context)
            .replace("TIMESTAMP", self.timestamp)
            .replace("CORE", if self.is_smp { "uint32_t core_id;" } else { "" });
        let parsed = tsdl::parse(&format!("{text}{CLOCK}"));
        let mut metadata = parsed.map_err(|error| error.to_string())?;
        metadata
            .environment
            .push(("tracer_name".to_owned(), "zephyr".to_owned()));
        Ok(metadata)
    }

    fn text(self) -> String {
        let bits = if self.timestamp == "uint64_t" { 64 } else { 32 };
        let cores = if self.is_smp { "with" } else { "without" };
        format!("timestamps of {bits} bits, {cores} core numbers")
    }
}

/// Decodes a stream in the variant that explains most of it.
pub(super) fn decode(
    bytes: &[u8],
    options: &MappingOptions,
) -> Result<DecodedRecording, DecodeError> {
    let is_ring = bytes.starts_with(&SLOT_MAGIC);
    let mut best: Option<(u64, Variant)> = None;
    for variant in VARIANTS {
        let sample = bytes.get(..SAMPLE_BYTES).unwrap_or(bytes);
        let explained = explained(sample, variant, is_ring).unwrap_or(0);
        if best.is_none_or(|(most, _)| explained > most) {
            best = Some((explained, variant));
        }
    }
    let unknown = "no archive with `metadata`, and no stream of Zephyr";
    let problem = || no_event(bytes.len() as u64, Some(unknown));
    let (_, variant) = best
        .filter(|(explained, _)| *explained > 0)
        .ok_or_else(problem)?;
    let mut diagnostics = Diagnostics::default();
    let message = format!(
        "the stream has no metadata: it is read as one of Zephyr, with {}",
        variant.text()
    );
    diagnostics.push(Diagnostic::new(
        DiagnosticKind::ConfigurationGuessed,
        message,
    ));
    let trace = open(bytes, variant, is_ring).map_err(|_| problem())?;
    trace_set::decode(&[trace], options, diagnostics)
}

/// Size of the sample from which the variant is guessed.
const SAMPLE_BYTES: usize = 1 << 16;

fn open(bytes: &[u8], variant: Variant, is_ring: bool) -> Result<OpenTrace<'_>, String> {
    let files = TraceFiles {
        folder: String::new(),
        metadata: &[],
        streams: vec![("stream".to_owned(), bytes)],
    };
    OpenTrace::with_metadata(variant.metadata(is_ring)?, files)
}

/// Number of bits of events before the first that are none, in a variant.
fn explained(bytes: &[u8], variant: Variant, is_ring: bool) -> Option<u64> {
    Some(open(bytes, variant, is_ring).ok()?.bits_before_damage())
}
