/** Shown instead of arrows if there are too many posts. */

import { countText } from "../state/format";
import type { TimelineView } from "./view";

export function PostNote({ view }: { view: TimelineView }) {
  const count = view.tooManyPosts();
  if (count === null) return null;
  return <div class="timeline-note">{countText(count)} posts: zoom in to see arrows</div>;
}
