/** Keeps the page's address and the view in sync. */

import { batch, effect } from "@preact/signals";
import { runSearch } from "../panels/search/run-search";
import { limits } from "../state/interval";
import { applyArrangement, encodeArrangement } from "../state/lane-arrangement";
import { goToEvent } from "../state/navigation";
import { BOTTOM_PANELS, SIDE_PANELS, settings } from "../state/settings";
import type { Moment, TraceState } from "../state/trace";
import { active, activeId, showError, traces } from "../state/viewer";
import { decodeLocation, encodeLocation, type ViewLocation } from "./view-location";

/** Time without changes after which the address is written, in milliseconds. */
const WRITE_DELAY = 250;

/** Location of the view. */
export function locationOf(trace: TraceState): ViewLocation {
  // A following view has no fixed window.
  const part = trace.isFollowing.value ? {} : addressedPart(trace);
  const pinned = trace.pinned.value;
  const selected = trace.selected.value;
  const searched = trace.searchResult.value;
  const { a, b } = trace.markers;
  // Lane numbers of a live trace change when the page is loaded again.
  const lanes = trace.live === null ? encodeArrangement(trace.lanes, trace.overview) : "";
  return {
    trace: traces.value.indexOf(trace),
    name: trace.overview.name,
    axis: trace.axis.value,
    ...part,
    ...(selected ? { event: selected.event } : {}),
    ...(a.value ? { a: a.value } : {}),
    ...(b.value ? { b: b.value } : {}),
    ...(pinned.length > 0 ? { pinned } : {}),
    ...(searched ? { search: searched.search.filter } : {}),
    ...(lanes !== "" ? { lanes } : {}),
    side: settings.sidePanel.value,
    bottom: settings.bottomPanel.value,
  };
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

/** Restores a location, as far as it exists. */
export function restoreLocation(spot: ViewLocation): void {
  const { side, bottom } = spot;
  if (side !== undefined && isPanel(SIDE_PANELS, side)) settings.sidePanel.value = side;
  if (bottom !== undefined && isPanel(BOTTOM_PANELS, bottom)) {
    settings.bottomPanel.value = bottom;
  }
  const trace = traceOf(spot);
  if (trace === null) return;
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
  batch(() => {
    activeId.value = trace.id;
    if (spot.axis) {
      trace.axis.value = spot.axis;
      if (trace.live === null)
        trace.show(trace.fullInterval.value.start, trace.fullInterval.value.end);
    }
    show();
    trace.markers.a.value = marker(spot.a);
    trace.markers.b.value = marker(spot.b);
    trace.pinned.value = spot.pinned?.filter(exists) ?? [];
    if (trace.live === null) applyArrangement(spot.lanes ?? "", trace.lanes, trace.overview);
  });
  // Selecting brings the event into view; the window of the address takes precedence.
  if (exists(spot.event)) goToEvent(trace, spot.event).then(show, showError);
  else trace.selected.value = null;
  if (spot.search !== undefined) runSearch(trace, spot.search).catch(showError);
}

/** Follows the address, and writes it after changes of the view. */
export function followAddress(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written = location.hash;
  const { dataset } = document.documentElement;
  restoreLocation(decodeLocation(location.hash));
  effect(() => {
    const trace = active.value;
    if (!trace) return;
    const spot = locationOf(trace);
    clearTimeout(timer);
    // For programs that drive the page.
    dataset.address = "pending";
    timer = setTimeout(() => {
      written = `#${encodeLocation(spot)}`;
      history.replaceState(null, "", written);
      dataset.address = "written";
    }, WRITE_DELAY);
  });
  window.addEventListener("hashchange", ({ newURL }) => {
    // The requested hash: the address may have been written since.
    const { hash } = new URL(newURL);
    if (hash !== written) restoreLocation(decodeLocation(hash));
  });
}
