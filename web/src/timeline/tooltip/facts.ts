/** Contents of tooltips for events, bars and lanes. */

import type {
  EventDetails,
  ItemVisit,
  Lane,
  Overview,
  Post,
  Probe,
  StateMachine,
} from "../../session/wire";
import { isAtEvent, placeTexts } from "../../state/bookmarks";
import {
  countText,
  durationText,
  groupedText,
  parameterText,
  plural,
  shareText,
  shownClock,
  ticksAndTimeText,
} from "../../state/format";
import { intervalsKey } from "../../state/intervals";
import { contextOf } from "../../state/lane-sorting";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { loadFacts } from "../cpu-load/facts";
import type { Hit } from "../hit";
import { resultFacts } from "../result/facts";
import type { BookmarkFlag, TimelineView } from "../view";

export type Fact = readonly [name: string, value: string];

/** The facts of those that apply. */
export const factsOf = (facts: readonly (Fact | false)[]): Fact[] =>
  facts.filter((fact) => fact !== false);

export interface Facts {
  title: string;
  rows: Fact[];
  /** The stages that the item of a pipeline passes. */
  path?: readonly ItemVisit[];
}

/** Queries the item under the pointer. */
export async function queryFacts(
  { trace }: TimelineView,
  hit: Hit,
  signal: AbortSignal,
): Promise<Facts | null> {
  if (hit.load !== null) return loadFacts(trace, hit.load, signal);
  if (hit.result !== null) return resultFacts(trace, hit.result);
  if (hit.post !== null) return postFacts(trace, hit.post);
  if (hit.event !== null) {
    const details = await trace.client.query({ query: "event", event: hit.event.event }, signal);
    if (details === null) return null;
    const facts = eventFacts(trace, details);
    // A card or the panel already shows the rest.
    return hasDetails(trace, details.event) ? { ...facts, rows: facts.rows.slice(0, 1) } : facts;
  }
  if (hit.placed.row.kind === "intervals") return intervalFacts(trace, hit);
  if (hit.placed.row.kind !== "lane") return null;
  const lanes = [hit.placed.row.lane];
  const [probe] = await trace.client.query(
    { query: "probe", axis: trace.axis.peek(), at: hit.at, lanes },
    signal,
  );
  return probe === undefined ? null : barFacts(trace, probe);
}

/** Facts of an interval. */
async function intervalFacts(trace: TraceState, { bar, placed }: Hit): Promise<Facts | null> {
  if (bar === null || placed.row.kind !== "intervals") return null;
  const { key, name } = placed.row;
  const of = trace.intervals.peek().find((one) => intervalsKey(one) === key);
  const place = await trace.client.query({ query: "locate", axis: "index", at: bar.event });
  if (of === undefined || place === null) return null;
  const { filters } = of;
  const window = { axis: "time", start: place.time, end: place.time + 1 } as const;
  const bars = await trace.client.query({
    query: "interval-bars",
    filters,
    window,
    width: 1024,
  });
  const index = bars.events.indexOf(bar.event);
  const [start, end] = [bars.starts[index], bars.ends[index]];
  if (start === undefined || end === undefined) return null;
  const known = durationText(end - start, shownClock(trace));
  return {
    title: name,
    rows: [
      ["Duration", bars.ended[index] ? known : `at least ${known}, no end recorded`],
      ["From event", countText(bar.event)],
    ],
  };
}

/** Whether the details of an event are on a card or in the panel. */
function hasDetails({ pinned, selected }: TraceState, event: number): boolean {
  const inPanel = settings.sidePanel.peek() === "details" && selected.peek()?.event === event;
  return inPanel || pinned.peek().includes(event);
}

/** Facts of a bookmark. */
export function bookmarkFacts(
  { trace, positions }: TimelineView,
  { bookmark }: BookmarkFlag,
): Facts {
  const { event, note } = bookmark;
  const title = note === "" ? "Bookmark" : note;
  if (isAtEvent(bookmark)) return { title, rows: [["Event", countText(event)]] };
  const { start, end } = placeTexts(trace, bookmark, positions);
  if (end === null) return { title, rows: [["Time", start]] };
  return {
    title,
    rows: [
      ["From", start],
      ["To", end],
    ],
  };
}

/** Facts of an event. */
function eventFacts(trace: TraceState, details: EventDetails): Facts {
  const { contexts } = trace.overview;
  const hz = shownClock(trace);
  const priority =
    details.priority === null
      ? ""
      : details.threshold === null || details.threshold === details.priority
        ? ` (priority ${details.priority})`
        : ` (priority ${details.priority}, threshold ${details.threshold})`;
  const interrupted =
    details.interrupted === null
      ? ""
      : ` (interrupted ${contexts[details.interrupted]?.name ?? "?"})`;
  return {
    title: `${details.name} (${details.kind})`,
    rows: factsOf([
      ["Event", countText(details.event)],
      ["Context", `${trace.lanes.contextTitle(details.context)}${priority}${interrupted}`],
      trace.overview.cores.length > 1 && ["Core", String(details.core)],
      ["Time", ticksAndTimeText(details.time, trace.frequencyHz.value)],
      ["Timestamp", details.timestamp],
      ...details.arguments.map(
        ({ name, text, raw }): Fact => [name, text === raw ? raw : `${groupedText(text)} (${raw})`],
      ),
      ["Next running", details.next_running],
      details.since_previous !== null && [
        "Since previous event",
        durationText(details.since_previous, hz),
      ],
      details.until_next !== null && ["Until next event", durationText(details.until_next, hz)],
    ]),
  };
}

/** Facts of a post. */
function postFacts(trace: TraceState, post: Post): Facts {
  const hz = trace.frequencyHz.value;
  const where = post.recalled ? "front (recalled)" : post.front ? "front" : null;
  const step =
    post.step_event === null || post.step_time === null
      ? null
      : { event: post.step_event, after: post.step_time - post.time };
  return {
    title: post.signal_name,
    rows: factsOf([
      ["Sender", post.sender_name],
      ["Receiver", trace.overview.contexts[post.receiver]?.name ?? "?"],
      where !== null && ["Queue position", where],
      ["Posted", `${ticksAndTimeText(post.time, hz)}, event ${countText(post.event)}`],
      step === null && ["Handled", "unknown"],
      step !== null && ["Handled after", ticksAndTimeText(step.after, hz)],
      step !== null && ["Step", `event ${countText(step.event)}`],
    ]),
  };
}

/** Facts of a bar at a moment. */
function barFacts(trace: TraceState, probe: Probe): Facts {
  const hz = trace.frequencyHz.value;
  const { lanes } = trace;
  const lane = lanes.lane(probe.lane);
  const name =
    lane?.kind === "machine" ? lanes.contextTitle(lane.context) : lanes.title(probe.lane);
  return {
    title: `${name}: ${probe.text}`,
    path: probe.path,
    rows: [
      ["Start", `${probe.start_known ? "" : "before "}${ticksAndTimeText(probe.start, hz)}`],
      ["End", ticksAndTimeText(probe.end, hz)],
      ["Duration", ticksAndTimeText(probe.end - probe.start, hz)],
      ["Event", countText(probe.event)],
    ],
  };
}

/** Maximum number of listed states; further ones are only counted. */
const MAX_STATES = 12;

function machineFacts(
  { busy_time: busyTime, share }: Lane,
  { states }: StateMachine,
  hz: number | null,
): Fact[] {
  const longest = states.toSorted((one, other) => other.residency - one.residency);
  const more = states.length - MAX_STATES;
  return factsOf([
    ["State known", `${shareText(share)}, ${ticksAndTimeText(busyTime, hz)}`],
    ...longest
      .slice(0, MAX_STATES)
      .map(
        ({ name, share, visits }): Fact => [
          name,
          `${shareText(share)}, ${plural(visits, "visit")}`,
        ],
      ),
    more > 0 && ["More states", countText(more)],
  ]);
}

/** What the busy time of lanes is that do not show CPU time. */
const BUSY_NAMES: Partial<Record<Lane["kind"], string>> = {
  "interrupts-off": "Interrupts off",
  marker: "Open",
  "pipeline-stage": "Has an item",
};

/** Facts of a whole lane. */
export function laneFacts(overview: Overview, number: number, hz: number | null): Fact[] {
  const lane = overview.lanes[number];
  if (lane === undefined) return [];
  const context = contextOf(overview, lane);
  const object =
    context?.object === null || context === undefined
      ? undefined
      : overview.objects[context.object];
  const machine =
    lane.kind !== "machine"
      ? undefined
      : overview.machines.find(({ context }) => context === lane.context);
  if (machine !== undefined) return machineFacts(lane, machine, hz);
  const ofAll = lane.kind === "thread" && overview.cores.length > 1 ? " of all cores" : "";
  return factsOf([
    [
      BUSY_NAMES[lane.kind] ?? "CPU time",
      `${shareText(lane.share)}${ofAll}, ${ticksAndTimeText(lane.busy_time, hz)}`,
    ],
    ["Events", countText(lane.events)],
    context?.priority != null && ["Priority", String(context.priority)],
    context !== undefined && ["Address", context.address],
    ...(object?.parameters ?? []).map(([name, value]): Fact => [name, parameterText(name, value)]),
  ]);
}
