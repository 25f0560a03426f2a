/** State shared by the parts of a timeline: size, rows, cached answers. */

import { computed, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import type { LanesAnswer } from "../session/lanes";
import type { Bookmark, ItemVisit, Post } from "../session/wire";
import { intervalOfPlace } from "../state/bookmarks";
import { hasActiveObjects, isThread } from "../state/contexts";
import { shownClock } from "../state/format";
import { limits } from "../state/interval";
import { hasColour } from "../state/lane-looks";
import { loadSelection } from "../state/load-selection";
import { resultLane } from "../state/result-lane";
import { settings } from "../state/settings";
import type { TraceState } from "../state/trace";
import { showError } from "../state/viewer";
import { type Arrow, arrowNear, arrowsOf } from "./arrows";
import { rolesOf } from "./classes";
import { loadPartAt, loadRows } from "./cpu-load/rows";
import { type CpuLoadStore, cpuLoadStore } from "./cpu-load/store";
import { EventPositions } from "./data/event-positions";
import { type LaneRequest, LaneRequests } from "./data/lane-requests";
import { LaneStore } from "./data/lane-store";
import { areTooMany, PostStore } from "./data/posts";
import { type QueueLevelStore, queueLevelStore } from "./data/queue-levels";
import { densityScale } from "./draw/density";
import type { DrawnLane, Frame } from "./draw/frame";
import { geometryOf } from "./draw/geometry";
import { RULER_HEIGHT } from "./draw/ruler";
import { StripPool } from "./draw/strips";
import { type Hit, itemsAt } from "./hit";
import { type IntervalStore, intervalAt, intervalRows, intervalStore } from "./intervals/bars";
import { fillingLaneHeight, type PlacedRow, RowLayout, type TopRow } from "./layout";
import { classColours, contextColours, palette } from "./palette";
import { itemNear } from "./result/items";
import { Batch, Shapes } from "./surface/shapes";
import { Scale, transformOf } from "./transform";

/** Lanes fetched outside the view, on each side. */
const LANES_OUTSIDE = 2;

/**
 * Minimum interval between queries for load, queues and posts while the view follows, in milliseconds.
 */
const QUERY_INTERVAL = 60;

/** Hit distance of arrows in pixels, unless an event icon is nearer. */
const ARROW_DISTANCE = 4;
/** Half the width of an icon. */
const ICON_HALF = 8;

/** Width of a bookmark's flag. */
export const FLAG_WIDTH = 9;

/** A visible bookmark and its position in pixels; that of its visible start if it is a range. */
export interface BookmarkFlag {
  bookmark: Bookmark;
  x: number;
  /** End of the visible part of a range. */
  right: number | null;
}

/** A timeline on the page. */
export class TimelineView {
  /** Size of the lanes in pixels. */
  readonly width = signal(0);
  readonly height = signal(0);
  readonly scrollTop = signal(0);
  /** Item under the pointer. */
  readonly hovered: Signal<Hit | null> = signal(null);
  /** Bookmark whose flag is under the pointer. */
  readonly hoveredFlag: Signal<BookmarkFlag | null> = signal(null);
  /** Lane whose name has the focus or is under the pointer. */
  readonly hoveredName: Signal<number | null> = signal(null);
  /** The stages of the pipeline that the hovered item passes. */
  readonly itemPath: Signal<readonly ItemVisit[]> = signal([]);
  /** Number of answers, incremented to redraw. */
  readonly answers = signal(0);
  /** Height of a lane in pixels. */
  readonly laneHeight: ReadonlySignal<number>;
  readonly layout: ReadonlySignal<RowLayout>;
  readonly positions: EventPositions;
  private readonly colours: ReadonlySignal<string[]>;
  private readonly store = new LaneStore();
  private readonly requests: LaneRequests;
  private readonly strips = new StripPool();
  private readonly batch = new Batch();
  private readonly shapes = new Shapes();
  private readonly roles: ReadonlySignal<Uint8Array>;
  private readonly laneOfContext: ReadonlySignal<readonly (number | undefined)[]>;
  private readonly posts: PostStore;
  private readonly queueLevels: QueueLevelStore;
  readonly cpuLoads: CpuLoadStore;
  private readonly intervals: IntervalStore;
  private readonly hasPosts: ReadonlySignal<boolean>;
  private readonly states: ReadonlySignal<ReadonlyMap<number, readonly string[]>>;
  /** Time of the last query for load, queues and posts. */
  private lastQuery = -Infinity;
  private readonly stops: (() => void)[];

  constructor(readonly trace: TraceState) {
    this.positions = new EventPositions(trace.client);
    this.requests = new LaneRequests(
      trace.client,
      this.store,
      ({ axis, traceEnd }) => {
        trace.live?.answered(axis, traceEnd);
        this.answers.value += 1;
      },
      showError,
    );
    this.posts = new PostStore(trace.client, showError);
    this.queueLevels = queueLevelStore(
      trace.client,
      () => trace.overview.levels,
      (axis) => limits(trace.extent.peek(), axis),
      showError,
    );
    this.cpuLoads = cpuLoadStore(trace.client, showError);
    this.intervals = intervalStore(trace.client, () => trace.intervals.peek(), showError);
    this.hasPosts = computed(() => hasActiveObjects(trace.overview));
    this.states = computed(
      () =>
        new Map(
          trace.overview.machines.map(({ context, states }) => [
            context,
            states.map(({ name }) => name),
          ]),
        ),
    );
    const classes = computed(() => trace.overview.classes);
    this.roles = computed(() => rolesOf(classes.value));
    this.colours = computed(() => classColours(classes.value, palette()));
    this.laneHeight = computed(() => {
      if (settings.laneHeight.value > 0) return settings.laneHeight.value;
      const { pinned, scrolled } = trace.lanes.rows.value;
      const rows = [...rowsAbove(trace), ...pinned, ...scrolled];
      return fillingLaneHeight(trace.overview, rows, this.height.value);
    });
    this.layout = computed(
      () =>
        new RowLayout(
          trace.overview,
          trace.lanes.rows.value,
          this.laneHeight.value,
          this.height.value,
          rowsAbove(trace),
          trace.lanes.ofLane.value,
        ),
    );
    this.laneOfContext = computed(() => lanesByContext(trace));
    this.stops = [
      // The cached data has outdated identifiers.
      onChange(trace.idsVersion, () => {
        for (const store of [this.store, ...this.stores()]) store.clear();
      }),
      onChange(trace.isFollowing, () => this.positions.retry()),
      // New events are outside what is drawn.
      onChange(trace.extent, () => this.fetch()),
    ];
  }

  private stores() {
    return [this.posts, this.queueLevels, this.cpuLoads, this.intervals];
  }

  /** Mapping of the visible interval to the screen. */
  scale(): Scale {
    return Scale.of(this.trace.window.value, this.width.value);
  }

  /** Scrolls a row into view. `scroll` sets the scroll position. */
  scrollTo(lane: number, scroll: (top: number) => void): void {
    const layout = this.layout.peek();
    const top = this.scrollTop.peek();
    const placed = layout.ofLane(lane, top);
    if (placed === null || placed.pinned) return;
    const above = placed.y - layout.pinned.height;
    const below = placed.y + placed.height - this.height.peek();
    if (above < 0) scroll(top + above);
    else if (below > 0) scroll(top + below);
  }

  /** Lane of a context. */
  laneOf(context: number): number | undefined {
    return this.laneOfContext.value[context];
  }

  /** Cached items across lanes. */
  across(): LanesAnswer | null {
    return this.store.across(this.trace.axis.peek());
  }

  /** Item at a point of the lanes. */
  hit(x: number, y: number): Hit | null {
    const placed = this.layout.peek().rowAt(y, this.scrollTop.peek());
    if (placed === null || placed.row.kind === "group") return null;
    const scale = this.scale();
    const nothing = {
      placed,
      at: scale.at(x),
      y,
      event: null,
      bar: null,
      post: null,
      load: null,
      result: null,
    };
    if (placed.row.kind === "load") {
      const load = this.cpuLoads.get(placed.row.core, this.trace.axis.peek());
      const part = loadPartAt(placed, load, scale.at(x), y, loadSelection(this.trace).peek());
      return { ...nothing, load: part };
    }
    if (placed.row.kind === "result") {
      const lane = resultLane(this.trace).peek();
      return { ...nothing, result: lane && itemNear(lane, this.trace.axis.peek(), scale, x) };
    }
    if (placed.row.kind === "intervals") {
      const bar = intervalAt(this.intervals.get(placed.row.key, this.trace.axis.peek()), scale, x);
      return { ...nothing, bar };
    }
    const found = itemsAt(this.drawnLane(placed.row.lane, scale), x);
    const { iconTop, iconHeight } = geometryOf(placed);
    const isIcon =
      found.event !== null &&
      Math.abs(found.event.left - x) <= ICON_HALF &&
      y >= iconTop &&
      y <= iconTop + iconHeight;
    const arrow = isIcon ? null : arrowNear(this.arrows(), x, y, ARROW_DISTANCE);
    return { ...nothing, ...found, post: arrow?.post ?? null };
  }

  /** Visible post arrows. */
  arrows(): Arrow[] {
    const posts = this.visiblePosts();
    if (posts.length === 0) return [];
    return arrowsOf({
      axis: this.trace.axis.value,
      scale: this.scale(),
      height: this.height.value,
      posts,
      rowOfContext: (context) => this.rowOf(this.laneOf(context)),
    });
  }

  /** Posts in the visible interval, in any lane; empty if there are too many. */
  visiblePosts(): readonly Post[] {
    const posts = this.knownPosts();
    return areTooMany(posts.length, this.width.value) ? [] : posts;
  }

  /** Number of visible posts, if there are too many for arrows. */
  tooManyPosts(): number | null {
    if (!this.hasPosts.value || !settings.postArrows.value) return null;
    const known = this.knownPosts().length;
    return (
      this.posts.tooMany(this.trace.axis.value) ??
      (areTooMany(known, this.width.value) ? known : null)
    );
  }

  /** Visible bookmarks and their positions. */
  bookmarks(): BookmarkFlag[] {
    const { trace, positions } = this;
    void positions.changes.value;
    const scale = this.scale();
    return trace.bookmarks.value.flatMap((bookmark) => {
      const interval = intervalOfPlace(bookmark, trace.axis.value, positions);
      if (interval === null) return [];
      const [left, right] = [scale.x(interval.start), scale.x(interval.end)];
      if (right < 0 || left > scale.width) return [];
      const isRange = bookmark.end !== undefined;
      const end = isRange ? Math.min(right, scale.width) : null;
      return [{ bookmark, x: Math.max(left, 0), right: end }];
    });
  }

  /** Bookmark whose flag is at a pixel of the ruler. */
  bookmarkAt(x: number): BookmarkFlag | null {
    return (
      this.bookmarks().findLast((noted) => x >= noted.x - 3 && x <= noted.x + FLAG_WIDTH) ?? null
    );
  }

  /** Everything needed to draw the current view. */
  frame(ratio: number): Frame {
    return this.frameOf(ratio, this.scrollTop.value, this.height.value);
  }

  /** The same with all rows, also those scrolled out of view; queries what is missing. */
  async wholeFrame(ratio: number): Promise<Frame> {
    const layout = this.layout.peek();
    const height = layout.pinned.height + layout.scrolled.height;
    const lanes = lanesOf(layout.visible(0, height));
    await this.requests.load({ ...this.laneRequest(), visible: lanes, lanes });
    return untracked(() => this.frameOf(ratio, 0, height));
  }

  private frameOf(ratio: number, scrollTop: number, height: number): Frame {
    const { trace } = this;
    for (const { changes } of [this.queueLevels, this.cpuLoads, this.intervals]) void changes.value;
    void this.answers.value;
    // Another search needs other lane contents.
    void trace.searchResult.value;
    const layout = this.layout.value;
    const width = this.width.value;
    const rowOf = (lane: number | undefined) =>
      lane === undefined ? null : layout.ofLane(lane, scrollTop);
    const rows = layout.visible(scrollTop, height);
    const scale = this.scale();
    const found = new Map<number, DrawnLane | null>();
    const across = this.store.across(trace.axis.value);
    const laneContents = (lane: number) => {
      const known = found.get(lane);
      if (known !== undefined) return known;
      const now = this.drawnLane(lane, scale, ratio);
      found.set(lane, now);
      return now;
    };
    const shown = rows.flatMap(({ row }) => {
      const now = row.kind === "lane" ? laneContents(row.lane) : null;
      return now === null ? [] : [now.contents];
    });
    return {
      overview: trace.overview,
      axis: trace.axis.value,
      frequencyHz: shownClock(trace),
      scale,
      width,
      height,
      ratio,
      palette: palette(),
      options: {
        statusLines: settings.statusLines.value,
        switchLines: settings.switchLines.value,
        wakeArrows: settings.wakeArrows.value,
        inversions: settings.inversions.value,
        icons: settings.icons.value,
        postArrows: settings.postArrows.value,
        queueDepths: settings.queueDepths.value,
      },
      roles: this.roles.value,
      colours: this.colours.value,
      pinned: rows.filter((placed) => placed.pinned),
      scrolled: rows.filter((placed) => !placed.pinned),
      pinnedHeight: layout.pinned.height,
      rowOf,
      rowOfContext: (context) => rowOf(this.laneOf(context)),
      contextColour: contextColours(trace, palette()),
      laneColour: (lane) =>
        hasColour(trace.overview.lanes[lane]) ? trace.lanes.look(lane)?.colour : undefined,
      laneContents,
      densityScale: densityScale(shown),
      stateName: (context, state) => this.states.value.get(context)?.[state] ?? "",
      queueLevel: (context) => this.queueLevels.get(context, trace.axis.value),
      intervals: (key) => this.intervals.get(key, trace.axis.value),
      cpuLoad: (core) => this.cpuLoads.get(core, trace.axis.value),
      selectedLoad: loadSelection(trace).value?.key ?? null,
      result: resultLane(trace).value,
      posts: this.visiblePosts(),
      across:
        across === null ? null : { answer: across, transform: transformOf(across, scale, ratio) },
      strips: this.strips,
      batch: this.batch,
      shapes: this.shapes,
    };
  }

  /** The request for lanes of the current view, without the lanes. */
  private laneRequest(): Omit<LaneRequest, "visible" | "lanes"> {
    const { trace } = this;
    const searched = trace.searchResult.peek();
    return {
      axis: trace.axis.peek(),
      part: trace.live?.target() ?? trace.window.peek(),
      width: this.width.peek(),
      traceEnd: trace.fullInterval.peek().end,
      search: searched === null || searched.error !== null ? null : searched.search,
    };
  }

  /** Queries the data for the current view, unless cached. */
  fetch(): void {
    const [width, height, top] = [this.width.peek(), this.height.peek(), this.scrollTop.peek()];
    if (width < 1 || height < 1) return;
    const layout = this.layout.peek();
    const rows = layout.visible(top, height);
    const visible = lanesOf(rows);
    const wanted = this.laneRequest();
    this.requests.request({
      ...wanted,
      visible,
      lanes: lanesOf(layout.visible(top, height, LANES_OUTSIDE * this.laneHeight.peek())),
    });
    if (this.isTooSoon()) return;
    const cores = rows.flatMap(({ row }) => (row.kind === "load" ? [row.core] : []));
    this.cpuLoads.request({ ...wanted, keys: cores });
    const keys = rows.flatMap(({ row }) => (row.kind === "intervals" ? [row.key] : []));
    this.intervals.request({ ...wanted, keys });
    if (!this.hasPosts.peek()) return;
    if (settings.postArrows.peek()) this.posts.request(wanted);
    if (settings.queueDepths.peek()) {
      const { lanes, levels } = untracked(() => this.trace.overview);
      const queues = new Set(levels.map(({ context }) => context));
      const contexts = visible.flatMap((lane) => {
        const of = lanes[lane];
        return of?.kind === "thread" && queues.has(of.context) ? [of.context] : [];
      });
      this.queueLevels.request({ ...wanted, keys: contexts });
    }
  }

  /** Whether load, queues and posts of a following view were queried a moment ago. */
  private isTooSoon(): boolean {
    const now = performance.now();
    if (this.trace.isFollowing.peek() && now - this.lastQuery < QUERY_INTERVAL) return true;
    this.lastQuery = now;
    return false;
  }

  stop(): void {
    for (const stop of this.stops) stop();
    for (const store of [this.requests, ...this.stores()]) store.stop();
  }

  private knownPosts(): readonly Post[] {
    if (!this.hasPosts.value || !settings.postArrows.value) return [];
    const { start: from, end: to } = this.trace.window.value;
    const axis = this.trace.axis.value;
    return this.posts
      .get(axis)
      .filter(({ event, time, step_event: take, step_time: taken }) =>
        axis === "time"
          ? time <= to && (taken ?? time) >= from
          : event <= to && (take ?? event) >= from - 1,
      );
  }

  /**
   * Where an event is drawn, visible or not, in pixels from the top left of the canvases; `null` if
   * its context has no lane.
   */
  placeOf(event: { event: number; time: number; context: number }): {
    x: number;
    top: number;
    height: number;
  } | null {
    const row = this.rowOf(this.laneOf(event.context));
    if (row === null) return null;
    void this.trace.axis.value;
    const x = Scale.of(this.trace.window.value, this.width.value).x(this.trace.position(event));
    return { x, top: RULER_HEIGHT + row.y, height: row.height };
  }

  private rowOf(lane: number | undefined): PlacedRow | null {
    return lane === undefined ? null : this.layout.value.ofLane(lane, this.scrollTop.value);
  }

  private drawnLane(lane: number, scale: Scale, ratio = 1): DrawnLane | null {
    const kept = this.store.get(lane, this.trace.axis.peek());
    return kept === null
      ? null
      : { contents: kept.contents, transform: transformOf(kept.answer, scale, ratio) };
  }
}

/** Rows above the lanes. */
function rowsAbove(trace: TraceState): TopRow[] {
  const result: TopRow[] = resultLane(trace).value === null ? [] : [{ kind: "result" }];
  return [...loadRows(trace), ...intervalRows(trace), ...result];
}

function lanesByContext({ overview }: TraceState): (number | undefined)[] {
  // With several cores, each has such a lane, and none is the only one.
  const only = (kind: string) => {
    const found = overview.lanes.findIndex((lane) => lane.kind === kind);
    const last = overview.lanes.findLastIndex((lane) => lane.kind === kind);
    return found < 0 || found !== last ? undefined : found;
  };
  const interrupt = only("interrupt");
  const idle = only("initialize-idle");
  const lanes: (number | undefined)[] = overview.contexts.map(({ kind }) =>
    kind === "interrupt" ? interrupt : isThread({ kind }) ? undefined : idle,
  );
  overview.lanes.forEach((lane, number) => {
    if (lane.kind === "thread") lanes[lane.context] = number;
  });
  return lanes;
}

/** Lanes of rows. */
function lanesOf(rows: readonly PlacedRow[]): number[] {
  return rows.flatMap(({ row }) => (row.kind === "lane" ? [row.lane] : []));
}

/** Calls when a value changes. */
function onChange(values: ReadonlySignal<unknown>, call: () => void): () => void {
  let isFirst = true;
  return values.subscribe(() => {
    if (!isFirst) untracked(call);
    isFirst = false;
  });
}

/** Views on the page by trace. */
export const views = new WeakMap<TraceState, TimelineView>();
