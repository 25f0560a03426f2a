//! Search for the posts that overlap a window.

use rtoscope_analysis::active::{ActiveObjects, Post};

/// Number of entries per entry of the tier above.
const FAN_OUT: usize = 16;

/// The end events of posts, indexed to find the posts that overlap a window without
/// visiting all of them.
#[derive(Debug)]
pub(crate) struct PostIndex {
    /// The event at which each post ends, in the order of posts; in the next tier the
    /// latest of each [`FAN_OUT`] entries, and so on.
    tiers: Vec<Vec<u32>>,
    /// The end events in ascending order.
    sorted_ends: Vec<u32>,
}

impl PostIndex {
    pub(crate) fn of(active: &ActiveObjects) -> Self {
        let ends = active.posts.iter().map(|post| end_event(active, post));
        Self::new(ends.collect())
    }

    fn new(ends: Vec<u32>) -> Self {
        let mut rising = ends.clone();
        rising.sort_unstable();
        let mut tiers = vec![ends];
        while let Some(below) = tiers.last().filter(|below| below.len() > 1) {
            let parts = below.chunks(FAN_OUT);
            let latest = parts.map(|part| part.iter().copied().max().unwrap_or_default());
            let tier = latest.collect();
            tiers.push(tier);
        }
        Self {
            tiers,
            sorted_ends: rising,
        }
    }

    /// The number of posts that end before an event.
    pub(crate) fn count_ended_before(&self, event: u32) -> usize {
        self.sorted_ends.partition_point(|end| *end < event)
    }

    /// The posts before index `until` that end at or after an event.
    pub(crate) fn reaching_event(&self, until: usize, event: u32) -> impl Iterator<Item = usize> {
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < until {
                // Skip the largest aligned block that starts here and ends before the
                // event.
                let (mut ended, mut side) = (0, 1);
                for tier in &self.tiers {
                    let reaches = tier.get(at / side).is_none_or(|latest| *latest >= event);
                    if at % side > 0 || reaches {
                        break;
                    }
                    ended = side;
                    side *= FAN_OUT;
                }
                at += ended.max(1);
                if ended == 0 {
                    return Some(at - 1);
                }
            }
            None
        })
    }
}

/// The event at which a post is handled; the post's own if unknown.
fn end_event(active: &ActiveObjects, post: &Post) -> u32 {
    let step = post.step.and_then(|step| active.steps.get(step.0 as usize));
    step.map_or(post.event, |step| step.first.max(post.event)).0
}
