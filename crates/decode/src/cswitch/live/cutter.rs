//! Whole containers, cut out of bytes that come in any pieces.

use super::super::container;
use flate2::Crc;
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::{
    CORE_BYTES, CoreHeader, CswlHeader, HEADER_BYTES, MAGIC, PAST_BYTES, SECTION_BYTES,
    SYMBOL_BYTES, SectionHeader, Tag, VERSION,
};

/// Finds the containers in a stream.
#[derive(Debug, Default)]
pub(super) struct Cutter {
    held: Vec<u8>,
    /// Where in those the container begins that is being looked at.
    from: usize,
    /// How much of it makes sense so far; 0 before its start is found.
    walked: usize,
    header: Option<CswlHeader>,
    /// Bytes of the recording before those that are held.
    offset: u64,
    /// Where what failed to be a container ended, and what was tried before
    /// that place.
    doubtful: usize,
    tries: u32,
    pub(super) bad: u64,
    pub(super) bad_bytes: u64,
}

/// A container that is whole and has its checksum.
pub(super) struct Whole<'c> {
    pub(super) bytes: &'c [u8],
    /// Bytes of the recording before it.
    pub(super) offset: u64,
}

/// What the bytes are that are held.
enum Found {
    /// The start of a container, or nothing: more is needed.
    Begun,
    /// A container of that many bytes.
    Whole(usize),
    /// None.
    Damaged,
}

/// Bytes of a container at most.
const MOST_BYTES: usize = 64 << 20;
/// Bytes of a section that is no core's at most: more is a damaged length.
const MOST_SECTION_BYTES: u64 = 1 << 20;
/// Places at which a container is looked for within one that was none.
const MOST_TRIES: u32 = 64;
/// Bytes that tell where a container may begin.
const SIGN_BYTES: usize = 8;

impl Cutter {
    /// Behind so many bytes of a recording.
    pub(super) fn new(offset: u64) -> Self {
        Self {
            offset,
            ..Self::default()
        }
    }

    /// Takes the next bytes. All containers must have been taken out before.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.held.drain(..self.from);
        self.offset = self.offset.saturating_add(self.from as u64);
        self.doubtful = self.doubtful.saturating_sub(self.from);
        self.from = 0;
        self.held.extend_from_slice(bytes);
    }

    /// The next container.
    pub(super) fn next(&mut self) -> Option<Whole<'_>> {
        loop {
            match self.look() {
                Found::Begun => return None,
                Found::Damaged => self.leave(),
                Found::Whole(length) => {
                    let start = self.from;
                    self.from = start + length;
                    self.walked = 0;
                    return Some(Whole {
                        bytes: self.held.get(start..self.from)?,
                        offset: self.offset.saturating_add(start as u64),
                    });
                }
            }
        }
    }

    /// What was begun is not completed.
    pub(super) fn interrupt(&mut self) {
        self.bad += u64::from(self.walked > 0);
        self.skip(self.held.len());
        self.walked = 0;
    }

    fn look(&mut self) -> Found {
        if self.walked == 0 && !self.begins() {
            return Found::Begun;
        }
        if self.walked == 0 {
            let Some(start) = self.rest().get(..HEADER_BYTES) else {
                return Found::Begun;
            };
            let header = CswlHeader::read(start).ok().flatten();
            self.header = header.filter(|header| header.version <= VERSION);
            self.walked = HEADER_BYTES;
        }
        match self.header {
            Some(header) => self.walk(header),
            None => Found::Damaged,
        }
    }

    /// Goes to where a container begins; what may be half a sign is kept.
    fn begins(&mut self) -> bool {
        let place = container::find(self.rest());
        let end = place.unwrap_or_else(|| {
            let rest = self.rest();
            let tail = rest.len().saturating_sub(SIGN_BYTES - 1);
            let starts = |at: &usize| {
                let sign = rest.get(*at..).unwrap_or_default();
                let magic = sign.len().min(MAGIC.len());
                sign.get(..magic) == MAGIC.get(..magic)
            };
            (tail..rest.len()).find(starts).unwrap_or(rest.len())
        });
        self.skip(self.from + end);
        place.is_some()
    }

    /// Walks over sections.
    fn walk(&mut self, header: CswlHeader) -> Found {
        loop {
            let rest = self.rest().get(self.walked..).unwrap_or_default();
            let Ok(section) = SectionHeader::read(rest, header.order) else {
                return Found::Begun;
            };
            let content = rest.get(SECTION_BYTES..).unwrap_or_default();
            let Some(fits) = fits(section, content, header) else {
                return Found::Begun;
            };
            let length = usize::try_from(section.length).unwrap_or(usize::MAX);
            let end = (self.walked + SECTION_BYTES).saturating_add(length);
            if !fits || end > MOST_BYTES {
                return Found::Damaged;
            }
            let Some(content) = content.get(..length) else {
                return Found::Begun;
            };
            if section.tag == Tag::END {
                let mut crc = Crc::new();
                let summed = self.rest().get(..self.walked + SECTION_BYTES);
                crc.update(summed.unwrap_or_default());
                let is_right = u32::read(content, header.order) == Some(crc.sum());
                self.walked = end;
                return match is_right {
                    true => Found::Whole(end),
                    false => Found::Damaged,
                };
            }
            self.walked = end;
        }
    }

    /// Gives up what is no container. One may begin within it, as bytes may have
    /// been lost; that is tried a few times only, as all of it is read again.
    fn leave(&mut self) {
        self.bad += 1;
        if self.from >= self.doubtful {
            self.tries = 0;
        }
        self.tries += 1;
        self.doubtful = self.doubtful.max(self.from + self.walked);
        self.skip(match self.tries {
            ..=MOST_TRIES => self.from + 1,
            _ => self.doubtful,
        });
        self.walked = 0;
    }

    fn skip(&mut self, to: usize) {
        let to = to.min(self.held.len());
        self.bad_bytes += to.saturating_sub(self.from) as u64;
        self.from = to;
    }

    fn rest(&self) -> &[u8] {
        self.held.get(self.from..).unwrap_or_default()
    }
}

/// Whether a section's length can be right; `None` if more of it is needed to
/// tell. A damaged length would swallow the containers behind it.
fn fits(section: SectionHeader, content: &[u8], header: CswlHeader) -> Option<bool> {
    let length = section.length;
    let holds = |least: usize| length >= least as u64 && length <= MOST_SECTION_BYTES;
    Some(match section.tag {
        Tag::CORE => {
            let core = CoreHeader::read(content, header.order).ok()?;
            let size = header.pointer.entry_bytes() as u64;
            length == CORE_BYTES as u64 + u64::from(core.entries) * size
        }
        Tag::PAST => holds(PAST_BYTES),
        Tag::NAME => holds(u64::BYTES),
        Tag::SYMBOL => holds(SYMBOL_BYTES),
        Tag::END => length == u32::BYTES as u64,
        Tag(other) => holds(0) && other.iter().all(|byte| (b' '..=b'~').contains(byte)),
    })
}
