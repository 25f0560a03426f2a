use std::fs::File;
use std::ops::Range;

/// Maximum number of extents to distinguish; a file with more counts as one
/// extent.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
const MAX_EXTENTS: usize = 65536;

/// The offsets of a file of `length` bytes that contain data. The rest is
/// holes, which read as zeros. If the system does not report holes, all of it
/// is data.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn data_extents(file: &File, length: u64) -> Vec<Range<u64>> {
    let whole = 0..length;
    seek_extents(file, length).unwrap_or_else(|| vec![whole])
}

/// The offsets of a file of `length` bytes that contain data: all of them,
/// because this system does not report holes.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn data_extents(_: &File, length: u64) -> Vec<Range<u64>> {
    let whole = 0..length;
    vec![whole]
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn seek_extents(file: &File, length: u64) -> Option<Vec<Range<u64>>> {
    use rustix::fs::{SeekFrom, seek};
    use rustix::io::Errno;

    let mut extents = Vec::new();
    let mut here = 0;
    while here < length {
        let start = match seek(file, SeekFrom::Data(here)) {
            Ok(start) => start,
            // There is no data after this offset.
            Err(Errno::NXIO) => break,
            Err(_) => return None,
        };
        let end = seek(file, SeekFrom::Hole(start)).ok()?.min(length);
        if start < here || end <= start || extents.len() == MAX_EXTENTS {
            return None;
        }
        extents.push(start..end);
        here = end;
    }
    Some(extents)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::{Seek, SeekFrom, Write};

    #[test]
    fn holes_are_left_out() {
        let mut file = tempfile::tempfile().unwrap();
        const LENGTH: u64 = 20_000_000_000;
        file.set_len(LENGTH).unwrap();
        assert!(data_extents(&file, LENGTH).len() <= 1);
        file.seek(SeekFrom::Start(LENGTH / 2)).unwrap();
        file.write_all(b"TXTB").unwrap();
        let extents = data_extents(&file, LENGTH);
        let held = extents.iter().any(|each| each.contains(&(LENGTH / 2)));
        assert!(held, "{extents:?}");
    }
}
