/** Keeps the page's address and the view in sync. */

import { batch, effect, untracked } from "@preact/signals";
import { runSearch } from "../panels/search/run-search";
import { ranQuery, restoreQuery } from "../panels/sql/sql-state";
import { backend } from "../session/backend";
import {
  comparable,
  compare,
  endComparison,
  shownComparison,
} from "../state/comparison/comparison";
import { pathSelection } from "../state/critical-path";
import { fingerprintOf } from "../state/fingerprint";
import { limits } from "../state/interval";
import { decodeIntervals, encodeIntervals } from "../state/intervals";
import { applyArrangement, encodeArrangement } from "../state/lane-arrangement";
import { goToEvent } from "../state/navigation";
import { resultLane } from "../state/result-lane";
import { BOTTOM_PANELS, SIDE_PANELS, settings } from "../state/settings";
import type { Moment, TraceState } from "../state/trace";
import { active, activeId, notice, showError, traces } from "../state/viewer";
import { isJump } from "./jumps";
import { decodeLocation, encodeLocation, type ViewLocation } from "./view-location";

/** Time without changes after which the address is written, in milliseconds. */
const WRITE_DELAY = 250;

/** Maximum length of a query in the address, which programs may cut off. */
const MAX_SQL_LENGTH = 4000;

/** Location of the view. */
export function locationOf(trace: TraceState): ViewLocation {
  // A following view has no fixed window.
  const part = trace.isFollowing.value ? {} : addressedPart(trace);
  const pinned = trace.pinned.value;
  const selected = trace.selected.value;
  const searched = trace.searchResult.value;
  const path = pathSelection(trace).value;
  const { a, b } = trace.markers;
  const intervals = encodeIntervals(trace.intervals.value, trace.overview);
  const sql = ranQuery(trace).value;
  const hasSql = sql !== null && sql.sql.length <= MAX_SQL_LENGTH;
  // Lane numbers of a live trace change when the page is loaded again.
  const lanes = trace.live === null ? encodeArrangement(trace.lanes, trace.overview) : "";
  const open = backend().standalone?.addressOf(trace.id);
  return {
    ...(open === undefined ? {} : { open }),
    trace: traces.value.indexOf(trace),
    name: trace.overview.name,
    // A live recording grows.
    ...(trace.live === null ? { recording: fingerprintOf(trace.overview) } : {}),
    axis: trace.axis.value,
    ...part,
    ...(selected ? { event: selected.event } : {}),
    ...(a.value ? { a: a.value } : {}),
    ...(b.value ? { b: b.value } : {}),
    ...(pinned.length > 0 ? { pinned } : {}),
    ...(searched ? { search: searched.search.filter } : {}),
    ...(intervals !== "" ? { intervals } : {}),
    ...(hasSql ? { sql, sqlLane: resultLane(trace).value !== null } : {}),
    ...(lanes !== "" ? { lanes } : {}),
    ...(path ? { path } : {}),
    ...comparedLocation(),
    side: settings.sidePanel.value,
    bottom: settings.bottomPanel.value,
  };
}

/** The comparison that is shown. */
function comparedLocation(): Pick<ViewLocation, "compare" | "align" | "unlinked"> {
  const shown = shownComparison.value;
  if (shown === null) return {};
  const [before, after] = shown.sides;
  const [from, to] = shown.anchors.value;
  const areStarts =
    from.event === before.extent.value.base.event && to.event === after.extent.value.base.event;
  const moment = ({ time, event }: Moment): Moment => ({ time, event });
  return {
    compare: [traces.value.indexOf(before), traces.value.indexOf(after)],
    ...(areStarts ? {} : { align: [moment(from), moment(to)] }),
    ...(shown.isLinked.value ? {} : { unlinked: true }),
  };
}

/** Restores the comparison of a location, or ends the one that is shown. */
function restoreComparison({ compare: pair, align, unlinked }: ViewLocation): void {
  if (pair === undefined) {
    endComparison();
    return;
  }
  const [before, after] = pair.map((at) => traces.peek()[at]);
  if (!before || !after || ![before, after].every((one) => comparable.peek().includes(one))) {
    endComparison();
    notice.value = "The address compares recordings that are not open.";
    return;
  }
  compare(before, after);
  const shown = shownComparison.peek();
  if (align) shown?.align(align);
  if (shown && unlinked === true) shown.isLinked.value = false;
}

function addressedPart(trace: TraceState): Pick<ViewLocation, "from" | "to"> {
  const { start: from, end: to } = trace.window.value;
  return { from, to };
}

/** Trace of a location: the one at its tab position, unless another has the name. */
function traceOf(spot: ViewLocation): TraceState | null {
  const open = traces.peek();
  const at = spot.trace === undefined ? undefined : open[spot.trace];
  if (at && (spot.name === undefined || at.overview.name === spot.name)) return at;
  if (spot.trace === undefined && spot.name === undefined) return open[0] ?? null;
  return open.find((trace) => trace.overview.name === spot.name) ?? null;
}

function isPanel<P extends string>(panels: readonly P[], name: string): name is P | "" {
  return name === "" || panels.some((panel) => panel === name);
}

/** A location without what belongs to one recording: positions, events and lanes. */
function withoutPlaces({ axis, search, intervals, sql }: ViewLocation): ViewLocation {
  const kept = Object.entries({ axis, search, intervals, sql });
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}

/** Restores a location, as far as it exists; resolves when the view has settled. */
export async function restoreLocation(requested: ViewLocation): Promise<void> {
  const { side, bottom } = requested;
  if (side !== undefined && isPanel(SIDE_PANELS, side)) settings.sidePanel.value = side;
  if (bottom !== undefined && isPanel(BOTTOM_PANELS, bottom)) {
    settings.bottomPanel.value = bottom;
  }
  const trace = traceOf(requested);
  if (trace === null) {
    if (traces.peek().length > 0) notice.value = absenceText(requested);
    return;
  }
  const { recording } = requested;
  const isOther =
    recording !== undefined && trace.live === null && recording !== fingerprintOf(trace.overview);
  const spot = isOther ? withoutPlaces(requested) : requested;
  if (isOther)
    notice.value = `The address is of another recording called ${trace.overview.name}: the file has changed.`;
  const [events, times] = [
    limits(trace.extent.peek(), "index"),
    limits(trace.extent.peek(), "time"),
  ];
  // The events that a live trace keeps are unknown when the page is loaded.
  const isOld = trace.live !== null && trace.live.shown.peek() === null;
  const exists = (event: number | undefined): event is number =>
    event !== undefined && !isOld && event >= events.start && event < events.end;
  const marker = (at: Moment | undefined) =>
    at && exists(at.event) && at.time <= times.end ? at : null;
  const show = () => {
    if (spot.from !== undefined && spot.to !== undefined && !isOld) trace.show(spot.from, spot.to);
  };
  activeId.value = trace.id;
  restoreComparison(requested);
  batch(() => {
    if (spot.axis) {
      trace.axis.value = spot.axis;
      const whole = trace.room.value ?? trace.fullInterval.value;
      if (trace.live === null) trace.show(whole.start, whole.end);
    }
    show();
    trace.markers.a.value = marker(spot.a);
    trace.markers.b.value = marker(spot.b);
    trace.intervals.value = decodeIntervals(spot.intervals ?? "", trace.overview);
    trace.pinned.value = spot.pinned?.filter(exists) ?? [];
    pathSelection(trace).value = spot.path && exists(spot.path.event) ? spot.path : null;
    if (trace.live === null) applyArrangement(spot.lanes ?? "", trace.lanes, trace.overview);
  });
  // Selecting brings the event into view; the window of the address takes precedence.
  const selects = exists(spot.event) ? goToEvent(trace, spot.event).then(show) : undefined;
  if (selects === undefined) trace.selected.value = null;
  const searches = spot.search === undefined ? undefined : runSearch(trace, spot.search);
  const { sql } = spot;
  if (sql !== undefined && JSON.stringify(sql) !== JSON.stringify(ranQuery(trace).peek())) {
    // It may take long, and moves nothing.
    void restoreQuery(trace, sql, spot.sqlLane === true);
  }
  await Promise.all([selects, searches]).catch(showError);
}

function absenceText({ name, trace }: ViewLocation): string {
  return name === undefined
    ? `The address is of trace ${(trace ?? 0) + 1}, which is not open.`
    : `The address is of ${name}, which is not open.`;
}

/**
 * Follows the address, and writes it after changes of the view: a jump is a new entry of the
 * browser's history, other moves replace the current one.
 */
export function followAddress(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written = location.hash;
  /** Location of the current entry; `null` until the view of a requested address has settled. */
  let current: ViewLocation | null = null;
  let restoring = 0;
  const { dataset } = document.documentElement;
  const restore = (hash: string) => {
    current = null;
    restoring += 1;
    void restoreLocation(decodeLocation(hash)).finally(() => {
      restoring -= 1;
      const trace = active.peek();
      if (restoring === 0 && trace !== null) current = untracked(() => locationOf(trace));
    });
  };
  restore(location.hash);
  // The user of a page without a server opens the recording of the address later.
  let awaited = traces.peek().length === 0 ? location.hash : "";
  const restoreAwaited = () => {
    if (awaited === "" || traceOf(decodeLocation(awaited)) === null) return;
    restore(awaited);
    awaited = "";
  };
  effect(() => {
    const trace = active.value;
    if (!trace) return;
    untracked(restoreAwaited);
    const spot = locationOf(trace);
    clearTimeout(timer);
    // For programs that drive the page.
    dataset.address = "pending";
    timer = setTimeout(() => {
      written = `#${encodeLocation(spot)}`;
      if (current !== null && isJump(current, spot)) history.pushState(null, "", written);
      else history.replaceState(null, "", written);
      current = restoring > 0 ? null : spot;
      dataset.address = "written";
    }, WRITE_DELAY);
  });
  window.addEventListener("hashchange", ({ newURL }) => {
    // The requested hash: the address may have been written since.
    const { hash } = new URL(newURL);
    if (hash !== written) restore(hash);
  });
}
