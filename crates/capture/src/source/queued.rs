//! What the system has received and the capture has not read.

/// Number of bytes that can be read at once; 0 if the system does not report it.
#[cfg(unix)]
pub(super) fn queued_bytes(stream: &impl std::os::fd::AsFd) -> u64 {
    rustix::io::ioctl_fionread(stream).unwrap_or(0)
}

/// Whether what is not read stays where it is: in a file.
#[cfg(unix)]
pub(super) fn keeps_unread(stream: &impl std::os::fd::AsFd) -> bool {
    use rustix::fs::FileType;
    rustix::fs::fstat(stream)
        .is_ok_and(|it| FileType::from_raw_mode(it.st_mode) == FileType::RegularFile)
}

/// Whether what is not read stays where it is: perhaps, on this system.
#[cfg(not(unix))]
pub(super) fn keeps_unread<T>(_: &T) -> bool {
    true
}

/// Number of bytes that can be read at once: not known on this system.
#[cfg(not(unix))]
pub(super) fn queued_bytes<T>(_: &T) -> u64 {
    0
}
