use super::workload::{CoreContext, CswitchWorkload, PlannedEntry};
use super::{CswitchOptions, LogBuffer, OutputForm, write, write_with_truth};
use crate::{Address, TrueContext};
use rtoscope_wire::cswitch::EntryKind;

/// The entries of a workload.
fn steps(options: &CswitchOptions) -> Vec<PlannedEntry> {
    let mut workload = CswitchWorkload::new(options);
    let entries = 0..options.entries;
    entries.map(|_| workload.next_entry()).collect()
}

fn of_cores(cores: u8, shared_objects: bool) -> CswitchOptions {
    CswitchOptions {
        entries: 30_000,
        cores,
        shared_objects,
        timeouts: true,
        inheritance: true,
        ..CswitchOptions::default()
    }
}

/// The kernel's own records, made without regard to entries, show the same
/// threads running in the same order from the same times on.
#[test]
fn switches_match_the_kernel() {
    for options in [of_cores(1, false), of_cores(3, false), of_cores(3, true)] {
        let steps = steps(&options);
        let workload = CswitchWorkload::new(&options);
        let kernel = options.kernel();
        let (_, truth) =
            crate::write_with_truth(&kernel, &mut std::io::sink(), &mut |_| ()).unwrap();
        for core in 0..options.cores {
            let resumes = steps.iter().filter(|step| {
                let resumes = [EntryKind::SyncResume, EntryKind::AsyncResume];
                step.core == core && resumes.contains(&step.kind)
            });
            let resumes: Vec<_> = resumes.map(|step| (step.time, step.running)).collect();
            let dispatches = truth.dispatches.iter().filter(|it| it.core == core);
            let index = |address: Address| {
                let of = truth.threads.iter().position(|it| it.address == address);
                of.unwrap() as u16
            };
            let dispatches: Vec<_> = dispatches.map(|it| (it.ticks, index(it.thread))).collect();
            let both = resumes.len().min(dispatches.len());
            assert!(both > 100, "{both}");
            let origin = resumes[0].0 - dispatches[0].0;
            for ((time, executes), (ticks, thread)) in resumes.iter().zip(&dispatches) {
                assert_eq!(*executes, CoreContext::Thread(*thread));
                let late = time - origin;
                assert!(late.abs_diff(*ticks) < 20, "{late} {ticks}");
            }
            assert!(
                truth
                    .slices
                    .iter()
                    .any(|it| it.context == TrueContext::Idle)
            );
        }
        assert_eq!(workload.firmware.threads.len(), truth.threads.len());
    }
}

#[test]
fn entries_have_distinct_times_and_interrupts_are_restored() {
    for options in [of_cores(1, false), of_cores(3, true)] {
        let steps = steps(&options);
        for core in 0..options.cores {
            let of_core: Vec<_> = steps.iter().filter(|step| step.core == core).collect();
            assert!(of_core.windows(2).all(|pair| pair[0].time < pair[1].time));
            let mut off = false;
            for step in of_core {
                match (step.kind, step.flagged) {
                    (EntryKind::InterruptsDisabled, already) => {
                        assert_eq!(off, already);
                        off = true;
                    }
                    (EntryKind::InterruptsRestored, still) => {
                        assert!(off);
                        off = still;
                    }
                    _ => assert!(!off, "{step:?}"),
                }
            }
        }
        for kind in EntryKind::ALL
            .into_iter()
            .filter(|kind| !kind.is_extension())
        {
            assert!(steps.iter().any(|step| step.kind == kind), "{kind:?}");
        }
    }
}

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
