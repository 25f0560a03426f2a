//! Value change dumps (IEEE 1364), for GTKWave and other waveform viewers.

mod code;
mod header;
mod names;

use crate::Progress;
use crate::signals::{
    CommonClock, SignalId, SignalKind, SignalSelection, SignalSink, SignalTable, SignalValue,
    TextId, write_changes,
};
use code::IdCode;
use names::VcdNames;
use rtoscope_analysis::AnalyzedRecording;
use std::io::{self, Write};

/// The signals of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SignalFilter {
    /// All signals, including numbers, and texts, which are GTKWave's extension.
    #[default]
    All,
    /// One-bit signals, for readers that support no others, such as sigrok's.
    Bits,
}

/// Writes recordings as one value change dump. All start at the same time.
///
/// # Errors
///
/// If the output fails.
pub fn write(
    sources: &[&AnalyzedRecording],
    output: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    write_signals(sources, SignalFilter::All, output, progress)
}

/// Like [`write()`], with these signals only.
///
/// # Errors
///
/// If the output fails.
pub fn write_signals(
    sources: &[&AnalyzedRecording],
    signals: SignalFilter,
    output: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> io::Result<()> {
    let choice = match signals {
        SignalFilter::All => SignalSelection::All,
        SignalFilter::Bits => SignalSelection::Lines { ready: true },
    };
    let table = SignalTable::new(sources, choice);
    let clock = CommonClock::for_sources(sources);
    let names = VcdNames::new(sources, &table);
    let mut dump = VcdWriter::new(&table, &names, output);
    header::write(sources, &table, &clock, &names, &mut dump.text)?;
    dump.begin()?;
    write_changes(sources, &table, &clock, &mut dump, progress)?;
    dump.finish(clock.end(sources))
}

/// The size of the output buffer.
const BUFFER_LEN: usize = 1 << 16;

/// Writes the changes as text.
struct VcdWriter<'a> {
    table: &'a SignalTable,
    codes: Vec<IdCode>,
    texts: Vec<String>,
    text: Vec<u8>,
    output: &'a mut dyn Write,
    time: u64,
}

impl<'a> VcdWriter<'a> {
    fn new(table: &'a SignalTable, names: &VcdNames, output: &'a mut dyn Write) -> Self {
        let codes = (0..).map(IdCode::new).take(table.signals.len());
        let texts = table.texts.iter();
        Self {
            table,
            codes: codes.collect(),
            texts: texts.map(|text| names.text(text)).collect(),
            text: Vec::with_capacity(BUFFER_LEN + (BUFFER_LEN >> 2)),
            output,
            time: 0,
        }
    }

    /// All signals start as unknown.
    fn begin(&mut self) -> io::Result<()> {
        self.text.extend_from_slice(b"#0\n$dumpvars\n");
        for signal in (0..).map(SignalId).take(self.table.signals.len()) {
            self.set(signal, SignalValue::Unknown)?;
        }
        self.text.extend_from_slice(b"$end\n");
        Ok(())
    }

    /// The last time is written even if nothing changes then.
    fn finish(mut self, end: u64) -> io::Result<()> {
        if self.time < end {
            self.advance_to(end)?;
        }
        self.output.write_all(&self.text)?;
        self.output.flush()
    }
}

impl SignalSink for VcdWriter<'_> {
    fn advance_to(&mut self, time: u64) -> io::Result<()> {
        if self.text.len() >= BUFFER_LEN {
            self.output.write_all(&self.text)?;
            self.text.clear();
        }
        self.time = time;
        self.text.push(b'#');
        let mut digits = itoa::Buffer::new();
        self.text.extend_from_slice(digits.format(time).as_bytes());
        self.text.push(b'\n');
        Ok(())
    }

    #[inline]
    fn set(&mut self, signal: SignalId, value: SignalValue) -> io::Result<()> {
        if self.text.len() >= BUFFER_LEN {
            self.output.write_all(&self.text)?;
            self.text.clear();
        }
        match value {
            SignalValue::Line(high) => self.text.push(if high { b'1' } else { b'0' }),
            SignalValue::Number(number) => {
                self.text.push(b'b');
                let bits = (u32::BITS - number.leading_zeros()).max(1);
                let bits = (0..bits).rev().map(|bit| b'0' + (number >> bit & 1) as u8);
                self.text.extend(bits);
                self.text.push(b' ');
            }
            SignalValue::Text(text, object) => {
                self.text.push(b's');
                let texts = &self.texts;
                let word = |text: TextId| texts.get(text.index()).map_or("", String::as_str);
                self.text.extend_from_slice(word(text).as_bytes());
                if let Some(object) = object {
                    self.text.push(b':');
                    self.text.extend_from_slice(word(object).as_bytes());
                }
                self.text.push(b' ');
            }
            SignalValue::Unknown => {
                let kind = self.table.signals.get(signal.index()).map(|it| it.kind);
                let unknown: &[u8] = match kind {
                    Some(SignalKind::Line) | None => b"x",
                    Some(SignalKind::State | SignalKind::Number) => b"bx ",
                    Some(SignalKind::Text) => b"s(unknown) ",
                };
                self.text.extend_from_slice(unknown);
            }
        }
        if let Some(code) = self.codes.get(signal.index()) {
            self.text.extend_from_slice(code.as_bytes());
        }
        self.text.push(b'\n');
        Ok(())
    }
}
