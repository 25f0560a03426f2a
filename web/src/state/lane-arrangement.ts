/** The lane arrangement as a short text for the page's address. */

import { batch } from "@preact/signals";
import type { Overview } from "../session/wire";
import { SORTINGS, sortedLanes } from "./lane-sorting";
import { defaultPinned, type LaneList } from "./lanes";

/** Lanes in their order: `0-3.7` for 0, 1, 2, 3, 7. */
function encodeLanes(lanes: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const lane of lanes) {
    const last = runs.at(-1);
    if (last && last[1] + 1 === lane) last[1] = lane;
    else runs.push([lane, lane]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(".");
}

/** Parses such a text into lanes below `count`, each once; `null` if invalid. */
function decodeLanes(text: string, count: number): number[] | null {
  const lanes = new Set<number>();
  for (const run of text === "" ? [] : text.split(".")) {
    const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(run) ?? [];
    if (first === undefined) return null;
    for (let lane = Number(first); lane <= Math.min(Number(last), count - 1); lane += 1)
      lanes.add(lane);
  }
  return [...lanes].filter((lane) => lane < count);
}

const isEqual = (one: readonly number[], other: readonly number[]) =>
  one.length === other.length && one.every((lane, at) => lane === other[at]);

/** Differences from the default arrangement; empty if there are none. */
export function encodeArrangement(lanes: LaneList, overview: Overview): string {
  const written = new URLSearchParams();
  const sorting = lanes.sorting.value;
  const order = lanes.order.value;
  if (sorting !== null) written.set("sort", sorting);
  else if (order.some((lane, at) => lane !== at)) written.set("order", encodeLanes(order));
  const pinned = lanes.pinned.value;
  if (!isEqual(pinned, defaultPinned(overview))) written.set("pin", encodeLanes(pinned));
  const hidden = [...lanes.hidden.value].sort((one, other) => one - other);
  if (hidden.length > 0) written.set("hide", encodeLanes(hidden));
  if (lanes.grouping.value !== lanes.defaultGrouping()) written.set("group", lanes.grouping.value);
  if (lanes.filter.value !== "") written.set("filter", lanes.filter.value);
  if (lanes.routinesShown.value) written.set("routines", "");
  if (!lanes.machinesShown.value) written.set("machines", "off");
  return written.toString();
}

/** Applies an arrangement from untrusted text; what the text does not mention gets its default. */
export function applyArrangement(text: string, lanes: LaneList, overview: Overview): void {
  const given = new URLSearchParams(text);
  const count = overview.lanes.length;
  const all = overview.lane_order;
  const list = (key: string) => decodeLanes(given.get(key) ?? "", count);
  const sorting = SORTINGS.find(({ by }) => by === given.get("sort"))?.by ?? null;
  const order = new Set([...(list("order") ?? []), ...all]);
  batch(() => {
    lanes.sorting.value = sorting;
    lanes.order.value = sorting === null ? [...order] : sortedLanes(overview, sorting, all);
    lanes.pinned.value = given.has("pin") ? (list("pin") ?? []) : defaultPinned(overview);
    lanes.hidden.value = new Set(list("hide") ?? []);
    lanes.grouping.value =
      lanes.groupings.peek().find(({ by }) => by === given.get("group"))?.by ??
      lanes.defaultGrouping();
    lanes.filter.value = given.get("filter") ?? "";
    lanes.routinesShown.value = given.has("routines");
    lanes.machinesShown.value = given.get("machines") !== "off";
  });
}
