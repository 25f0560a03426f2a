//! Results as JSON.

use super::writer::ResultWriter;
use arrow::array::RecordBatch;
use arrow::json::WriterBuilder;
use arrow::json::writer::{JsonArray, JsonFormat, LineDelimited, Writer};
use rtoscope_command::output::json_text::EscapingWriter;
use std::fmt::Debug;
use std::io::Write;

struct JsonWriter<W: Write, F: JsonFormat> {
    writer: Writer<EscapingWriter<W>, F>,
    /// Text after the last object.
    end: &'static str,
}

/// An array with one object per row.
pub(super) fn array<'a>(output: impl Write + 'a) -> impl ResultWriter + 'a {
    objects::<_, JsonArray>(output, "\n")
}

/// One object per line.
pub(super) fn lines<'a>(output: impl Write + 'a) -> impl ResultWriter + 'a {
    objects::<_, LineDelimited>(output, "")
}

fn objects<W: Write, F: JsonFormat>(output: W, end: &'static str) -> JsonWriter<W, F> {
    let builder = WriterBuilder::new().with_explicit_nulls(true);
    JsonWriter {
        writer: builder.build(EscapingWriter(output)),
        end,
    }
}

impl<W: Write, F: JsonFormat + Debug> ResultWriter for JsonWriter<W, F> {
    fn write_batch(&mut self, rows: &RecordBatch) -> anyhow::Result<()> {
        Ok(self.writer.write(rows)?)
    }

    fn finish(mut self: Box<Self>) -> anyhow::Result<()> {
        self.writer.finish()?;
        let mut output = self.writer.into_inner();
        output.write_all(self.end.as_bytes())?;
        Ok(output.flush()?)
    }
}
