/** The timeline of a trace: an overview strip, a ruler and the lanes. */

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Splitter } from "../shell/Splitter";
import { countText } from "../state/format";
import { MAX_NAMES_SHARE, settings } from "../state/settings";
import { requestedLane } from "../state/shown-lane";
import type { TraceState } from "../state/trace";
import { RULER_HEIGHT } from "./draw/ruler";
import { LaneNames } from "./names/LaneNames";
import { LaneTools } from "./names/LaneTools";
import { OverviewStrip } from "./overview/OverviewStrip";
import { Painter } from "./painter";
import { Gestures } from "./pointer/gestures";
import { Tooltip } from "./tooltip/Tooltip";
import { TimelineView, views } from "./view";
import "./timeline.css";

const MIN_NAME_WIDTH = 90;
const MIN_LANE_WIDTH = 200;

/** Fills its container. */
export function Timeline({ trace }: { trace: TraceState }) {
  const view = useMemo(() => new TimelineView(trace), [trace]);
  const whole = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const lanes = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);

  const scroll = (top: number) => {
    if (scroller.current) scroller.current.scrollTop = top;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    scroll(view.scrollTop.peek() + by * view.laneHeight.peek());
  };

  useLayoutEffect(() => {
    if (!host.current || !scroller.current || !lanes.current || !overlay.current) return undefined;
    const element = host.current;
    const measure = () => {
      view.width.value = element.clientWidth;
      view.height.value = Math.max(element.clientHeight - RULER_HEIGHT, 0);
    };
    measure();
    const painter = new Painter(view, lanes.current, overlay.current);
    const gestures = new Gestures(element, view, scroll);
    const sized = new ResizeObserver(measure);
    sized.observe(element);
    // Another screen may have another pixel ratio.
    const redraw = () => painter.redraw();
    window.addEventListener("resize", redraw);
    // Filter results start at the top.
    const stopFollowing = trace.lanes.filter.subscribe(() => scroll(0));
    const requested = requestedLane(trace);
    const stopShowing = requested.subscribe((lane) => {
      if (lane === null) return;
      view.scrollTo(lane, scroll);
      requested.value = null;
    });
    views.set(trace, view);
    return () => {
      views.delete(trace);
      stopShowing();
      stopFollowing();
      window.removeEventListener("resize", redraw);
      sized.disconnect();
      gestures.stop();
      painter.stop();
      view.stop();
    };
  }, [view]);

  return (
    <div
      class="timeline"
      ref={whole}
      style={{
        "--timeline-names": `min(${settings.nameWidth.value}px, ${MAX_NAMES_SHARE * 100}%)`,
      }}
    >
      <div class="timeline-corner">
        <LaneTools trace={trace} />
      </div>
      <OverviewStrip view={view} />
      <div class="timeline-body">
        <LaneScroller view={view} element={scroller} />
        <LaneNames view={view} scroll={scroll} />
        <div
          class="timeline-canvases"
          ref={host}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys and thus the focus
          tabIndex={0}
          role="application"
          aria-label="Timeline lanes"
          onKeyDown={onKeyDown}
        >
          <canvas ref={lanes} aria-hidden="true" />
          <canvas ref={overlay} aria-hidden="true" />
          <PostNote view={view} />
          <Tooltip view={view} />
        </div>
        <div class="timeline-splitter">
          <Splitter
            label="Width of the lane names"
            orientation="vertical"
            sizes="before"
            size={settings.nameWidth}
            min={MIN_NAME_WIDTH}
            max={() => Math.max((whole.current?.clientWidth ?? 0) - MIN_LANE_WIDTH, MIN_NAME_WIDTH)}
          />
        </div>
      </div>
    </div>
  );
}

/** Shown instead of arrows if there are too many posts. */
function PostNote({ view }: { view: TimelineView }) {
  const count = view.tooManyPosts();
  if (count === null) return null;
  return <div class="timeline-note">{countText(count)} posts: zoom in to see arrows</div>;
}

/** The element that scrolls: as high as all scrolled rows. */
function LaneScroller({
  view,
  element,
}: {
  view: TimelineView;
  element: { current: HTMLDivElement | null };
}) {
  const { pinned, scrolled } = view.layout.value;
  return (
    <div
      class="timeline-scroller"
      ref={element}
      style={{ top: `${RULER_HEIGHT + pinned.height}px` }}
      tabIndex={-1}
      onScroll={(event) => {
        view.scrollTop.value = event.currentTarget.scrollTop;
      }}
    >
      <div style={{ height: `${scrolled.height}px` }} />
    </div>
  );
}
