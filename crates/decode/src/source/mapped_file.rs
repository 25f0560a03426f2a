//! A file in memory that may become shorter meanwhile.

use super::FileBytes;
use memmap2::Mmap;
use std::io;
use std::sync::Arc;

/// A file that is mapped into memory. Bytes that the file no longer has read as zeros, instead of
/// ending the process, and become a [failure](super::read_failure) at the latest when it is dropped.
#[derive(Debug)]
pub struct MappedFile {
    map: Mmap,
    #[cfg(unix)]
    range: guard::GuardedRange,
    file: Arc<FileBytes>,
}

impl MappedFile {
    /// Maps a file.
    ///
    /// # Errors
    ///
    /// Those of the system, or if too many files are mapped.
    #[allow(unsafe_code)]
    pub(super) fn new(file: FileBytes) -> io::Result<Self> {
        // SAFETY: the mapping is private and read-only and is only used as plain bytes, for which
        // every value is valid. Nothing relies on a byte that was read staying the same.
        let map = unsafe { Mmap::map(file.file()) }?;
        Ok(Self {
            #[cfg(unix)]
            range: guard::GuardedRange::new(&map)?,
            map,
            file: Arc::new(file),
        })
    }

    /// The file, which can be read after the mapping is dropped.
    pub fn file(&self) -> &Arc<FileBytes> {
        &self.file
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Fails if bytes were read that the file no longer has. Windows refuses to shorten a mapped
    /// file.
    ///
    /// # Errors
    ///
    /// An error that names the file.
    pub fn ensure_complete(&self) -> io::Result<()> {
        #[cfg(unix)]
        if self.range.has_faulted() {
            return Err(self.file.changed());
        }
        Ok(())
    }
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        let _ = self.ensure_complete();
    }
}

/// Reading a page of a mapping that the file no longer has raises SIGBUS. The handler replaces the
/// rest of the mapping by zeros.
#[cfg(unix)]
#[allow(unsafe_code)]
mod guard {
    use std::io;
    use std::mem::MaybeUninit;
    use std::ops::Range;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    /// The memory of a mapping. A signal handler must not lock or allocate: the ranges are in a
    /// table of atomic numbers.
    #[derive(Debug)]
    pub(super) struct GuardedRange(&'static Slot);

    #[derive(Debug)]
    struct Slot {
        /// The first address; 0 if it is free, [`RESERVED`] while it is filled.
        start: AtomicUsize,
        end: AtomicUsize,
        has_faulted: AtomicBool,
    }

    const RESERVED: usize = 1;

    /// More than files that one process opens at a time.
    static SLOTS: [Slot; 256] = [const {
        Slot {
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            has_faulted: AtomicBool::new(false),
        }
    }; 256];

    /// The handler before this one, such as that of Rust's runtime for a full stack, and the size of
    /// a page.
    static PREVIOUS: OnceLock<(libc::sigaction, usize)> = OnceLock::new();

    impl GuardedRange {
        pub(super) fn new(bytes: &[u8]) -> io::Result<Self> {
            install()?;
            let Range { start, end } = bytes.as_ptr_range();
            let reserve = |slot: &&Slot| {
                let (acquire, relaxed) = (Ordering::Acquire, Ordering::Relaxed);
                let start = slot.start.compare_exchange(0, RESERVED, acquire, relaxed);
                start.is_ok()
            };
            let slot = SLOTS.iter().find(reserve);
            let slot = slot.ok_or_else(|| io::Error::other("too many files are open"))?;
            slot.has_faulted.store(false, Ordering::Relaxed);
            slot.end.store(end as usize, Ordering::Relaxed);
            slot.start.store(start as usize, Ordering::Release);
            Ok(Self(slot))
        }

        pub(super) fn has_faulted(&self) -> bool {
            self.0.has_faulted.load(Ordering::Acquire)
        }
    }

    impl Drop for GuardedRange {
        fn drop(&mut self) {
            self.0.end.store(0, Ordering::Relaxed);
            self.0.start.store(0, Ordering::Release);
        }
    }

    fn install() -> io::Result<()> {
        if PREVIOUS.get().is_some() {
            return Ok(());
        }
        // SAFETY: the structures are valid as zeros, and the handler only uses what a handler may
        // use.
        unsafe {
            let mut previous = MaybeUninit::zeroed();
            let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
            // It runs on the stack of the handlers, if there is one.
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            action.sa_sigaction = handle as *const () as libc::sighandler_t;
            let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE));
            let page = page.map_err(|_| io::Error::last_os_error())?;
            if libc::sigaction(libc::SIGBUS, std::ptr::null(), previous.as_mut_ptr()) != 0 {
                return Err(io::Error::last_os_error());
            }
            // Of two threads that come here, both see the handler before.
            PREVIOUS.get_or_init(|| (previous.assume_init(), page));
            if libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut()) != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }

    extern "C" fn handle(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        let Some((previous, page)) = PREVIOUS.get() else {
            return;
        };
        // SAFETY: the kernel passes valid information.
        let address = unsafe { (*info).si_addr() } as usize;
        for slot in &SLOTS {
            let start = slot.start.load(Ordering::Acquire);
            let end = slot.end.load(Ordering::Relaxed);
            if start <= RESERVED || !(start..end).contains(&address) {
                continue;
            }
            let first = address - address % page;
            slot.has_faulted.store(true, Ordering::Release);
            // SAFETY: it replaces pages of this mapping only, which are not written.
            let replaced = unsafe {
                libc::mmap(
                    first as *mut libc::c_void,
                    end - first,
                    libc::PROT_READ,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
                    -1,
                    0,
                )
            };
            if replaced != libc::MAP_FAILED {
                return;
            }
        }
        // Another fault: it happens again, with the handler before.
        // SAFETY: the action was the system's.
        unsafe { libc::sigaction(libc::SIGBUS, previous, std::ptr::null_mut()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    #[cfg(unix)]
    fn a_file_that_shrinks_reads_as_zeros_from_there() {
        let mut named = tempfile::NamedTempFile::new().unwrap();
        named.write_all(&[7; 1 << 20]).unwrap();
        let map = || {
            let file = named.reopen().unwrap();
            MappedFile::new(FileBytes::new(file, named.path()).unwrap()).unwrap()
        };
        let (mapped, other) = (map(), map());
        assert_eq!(mapped.bytes().last(), Some(&7));
        mapped.ensure_complete().unwrap();
        named.as_file().set_len(100_000).unwrap();
        assert_eq!(mapped.bytes().first(), Some(&7));
        assert_eq!(mapped.bytes().last(), Some(&0));
        let error = mapped.ensure_complete().unwrap_err();
        assert!(error.to_string().ends_with("changed while it was open"));
        other.ensure_complete().unwrap();
    }
}
