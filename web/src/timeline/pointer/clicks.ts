/** Clicks: a single click selects, a double click pins details or zooms to the range. */

import { goToBookmark } from "../../panels/bookmarks/go-to-bookmark";
import { isAtEvent } from "../../state/bookmarks";
import { goToEvent, goToTime, showDetails } from "../../state/navigation";
import { resultLane } from "../../state/result-lane";
import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";
import { selectLoad } from "../cpu-load/rows";
import { RULER_HEIGHT } from "../draw/ruler";
import type { TimelineView } from "../view";

interface Point {
  x: number;
  y: number;
}

export class Clicks {
  constructor(
    private readonly view: TimelineView,
    private readonly scroll: (top: number) => void,
  ) {}

  /**
   * Selects the nearest event of the lane, or the event that started the bar; in the ruler, the
   * event of a bookmark or the last event before. The flag of a range zooms to it.
   */
  single(at: Point): void {
    const hit = at.y < RULER_HEIGHT ? null : this.view.hit(at.x, at.y - RULER_HEIGHT);
    if (hit?.placed.row.kind === "load") {
      selectLoad(this.view, hit.load?.of ?? null, hit.load?.core ?? null, this.scroll);
      return;
    }
    if (hit?.placed.row.kind === "result") {
      if (hit.result !== null) selectResult(this.view.trace, hit.result);
      return;
    }
    const noted = at.y < RULER_HEIGHT ? this.view.bookmarkAt(at.x)?.bookmark : undefined;
    if (noted !== undefined && !isAtEvent(noted)) {
      void goToBookmark(this.view.trace, noted);
      return;
    }
    this.find(at)
      .then(async (event) => {
        if (event === null) return;
        const { trace } = this.view;
        const place = await trace.client.query({ query: "locate", axis: "index", at: event });
        // It is visible already, so the view does not move.
        if (place === null) return;
        trace.selected.value = place;
        showDetails();
      })
      .catch(showError);
  }

  double(at: Point): void {
    const { trace } = this.view;
    const position = this.view.scale().at(at.x);
    const range = trace.range.peek();
    if (range !== null && range.axis === trace.axis.peek()) {
      const [from, to] = [Math.min(range.start, range.end), Math.max(range.start, range.end)];
      if (position >= from && position <= to) {
        trace.show(from, to);
        return;
      }
    }
    this.find(at)
      .then((event) => {
        if (event === null || trace.pinned.peek().includes(event)) return;
        trace.pinned.value = [...trace.pinned.peek(), event];
      })
      .catch(showError);
  }

  private async find({ x, y }: Point): Promise<number | null> {
    const { trace } = this.view;
    const noted = y < RULER_HEIGHT ? this.view.bookmarkAt(x) : null;
    if (noted !== null) return noted.bookmark.event;
    const hit = y < RULER_HEIGHT ? null : this.view.hit(x, y - RULER_HEIGHT);
    const known = hit?.post?.event ?? hit?.event?.event ?? hit?.bar?.event;
    if (known !== undefined) return known;
    const axis = trace.axis.peek();
    const position = this.view.scale().at(x);
    if (hit !== null && hit.placed.row.kind === "lane") {
      // There are too many events to list, so query the session.
      const lanes = [hit.placed.row.lane];
      const [probe] = await trace.client.query({ query: "probe", axis, at: position, lanes });
      if (probe !== undefined) return probe.event;
    }
    return (await trace.client.query({ query: "locate", axis, at: position }))?.event ?? null;
  }
}

/** Selects the event of an item, or the last one before its start. */
function selectResult(trace: TraceState, item: number): void {
  const lane = resultLane(trace).peek();
  const event = lane?.events?.[item];
  const start = lane?.starts[item];
  showDetails();
  if (event !== undefined) void goToEvent(trace, event);
  else if (start !== undefined) void goToTime(trace, start);
}
