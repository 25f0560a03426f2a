//! How many bytes an input may expand to.

use crate::DecodeError;

/// What any input may expand to: the memory of the largest targets that have no file system.
/// Rings of unused slots leave next to nothing of it when compressed.
const MIN_LIMIT_BYTES: u64 = 64 << 20;

/// An input may expand to this many times its size, if that is more: deflate makes no more of
/// any stream, so that one layer of gzip never reaches the limit below the maximum.
const MAX_EXPANSION_FACTOR: u64 = 1032;

/// No input may expand to more, as the decoded events take several times as much. A larger
/// file does not have to fit in memory if it is not compressed.
const MAX_LIMIT_BYTES: u64 = match usize::BITS {
    0..=32 => 512 << 20,
    _ => 2 << 30,
};

/// The bytes that all layers of an input may expand to together.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExpansionBudget {
    /// Size of the outermost layer.
    input_bytes: u64,
    limit: u64,
    left: u64,
}

impl ExpansionBudget {
    /// The budget of an input of this size.
    pub(super) fn new(input_bytes: u64) -> Self {
        let proportional = input_bytes.saturating_mul(MAX_EXPANSION_FACTOR);
        let limit = proportional.clamp(MIN_LIMIT_BYTES, MAX_LIMIT_BYTES);
        Self {
            input_bytes,
            limit,
            left: limit,
        }
    }

    /// What is left of it.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Makes space for further bytes in a vector.
    pub(super) fn reserve(&mut self, to: &mut Vec<u8>, bytes: usize) -> Result<(), ExpansionStop> {
        let left = self.left.checked_sub(bytes as u64);
        let left = left.ok_or(ExpansionStop::LimitExceeded)?;
        if to.capacity() - to.len() < bytes {
            // As `Vec` grows, but not beyond the limit.
            let doubled = to
                .len()
                .min(usize::try_from(self.left).unwrap_or(usize::MAX));
            to.try_reserve_exact(doubled.max(bytes))
                .or_else(|_| to.try_reserve_exact(bytes))
                .map_err(|_| ExpansionStop::OutOfMemory)?;
        }
        self.left = left;
        Ok(())
    }

    /// The error of a layer that does not fit; layers count from 1.
    pub(super) fn error(
        &self,
        stop: ExpansionStop,
        layer: usize,
        compression: &'static str,
    ) -> DecodeError {
        match stop {
            ExpansionStop::LimitExceeded => DecodeError::ExpandedTooLarge {
                layer,
                compression,
                input_bytes: self.input_bytes,
                limit: self.limit,
            },
            ExpansionStop::OutOfMemory => DecodeError::OutOfMemory { layer, compression },
        }
    }
}

/// Why an input cannot expand further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpansionStop {
    LimitExceeded,
    OutOfMemory,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_follows_the_size_within_bounds() {
        let limit = |bytes| ExpansionBudget::new(bytes).left();
        assert_eq!(limit(0), 64 << 20);
        assert_eq!(limit(2000), 64 << 20);
        assert_eq!(limit(1 << 20), 1032 << 20);
        assert_eq!(limit(u64::MAX), MAX_LIMIT_BYTES);
    }

    #[test]
    fn all_vectors_share_a_budget() {
        let mut budget = ExpansionBudget::new(0);
        let (mut one, mut other) = (Vec::new(), Vec::new());
        assert_eq!(budget.reserve(&mut one, 40 << 20), Ok(()));
        let refused = budget.reserve(&mut other, 40 << 20);
        assert_eq!(refused, Err(ExpansionStop::LimitExceeded));
        assert_eq!(budget.reserve(&mut other, 24 << 20), Ok(()));
        assert_eq!(budget.left(), 0);
    }
}
