use super::{CswitchOptions, LogBuffer, OutputForm, write, write_with_truth};

#[test]
fn progress_grows_to_the_end() {
    for (buffer, form) in [
        (None, OutputForm::Container),
        (None, OutputForm::Raw),
        (
            Some(LogBuffer {
                slots: 100,
                cyclic: true,
            }),
            OutputForm::Container,
        ),
    ] {
        let options = CswitchOptions {
            entries: 200_000,
            buffer,
            form,
            ..CswitchOptions::default()
        };
        let mut reported = Vec::new();
        let sink = &mut std::io::sink();
        write_with_truth(&options, sink, &mut |done| reported.push(done)).unwrap();
        assert!(reported.is_sorted() && reported.len() > 4, "{reported:?}");
        assert_eq!(reported.last(), Some(&200_000));
    }
}

/// Accepts some bytes and then fails.
struct Full(usize);

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.saturating_sub(bytes.len());
        match self.0 {
            0 => Err(std::io::ErrorKind::StorageFull.into()),
            _ => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error() {
    for form in [OutputForm::Container, OutputForm::Raw] {
        let options = CswitchOptions {
            form,
            ..CswitchOptions::default()
        };
        let failed = write(&options, &mut Full(300_000), &mut |_| ());
        let error = failed.unwrap_err().to_string();
        assert!(error.starts_with("writing at byte 262144"), "{error}");
    }
}
