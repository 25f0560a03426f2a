/** Tooltip of the CPU load. */

import type { Axis } from "../../session/wire";
import {
  countText,
  durationText,
  plural,
  shareText,
  shownClock,
  ticksText,
} from "../../state/format";
import type { TraceState } from "../../state/trace";
import { type Fact, type Facts, factsOf } from "../tooltip/facts";
import { type LoadPart, lengthOf } from "./stack";

/** Contexts that are asked for, and those that are listed. */
const MAX_CONTEXTS = 4096;
const MAX_LISTED = 8;

/** Title of a row. */
export const loadTitle = (core: number | null, axis: Axis): string => {
  const title = axis === "time" ? "CPU load" : "Running contexts";
  return core === null ? title : `${title} of core ${core}`;
};

/**
 * Queries the time of each context in a part: the figures of the profile of that part. In the
 * sequential view, the events at which each context runs.
 */
export async function loadFacts(
  trace: TraceState,
  { core, start, end, of }: LoadPart,
  signal: AbortSignal,
): Promise<Facts | null> {
  const axis = trace.axis.peek();
  const window = { axis, start, end };
  const load = await trace.client.query(
    { query: "cpu-load", core, window, width: 1, limit: MAX_CONTEXTS },
    signal,
  );
  const [from, to] = load.positions;
  const whole = lengthOf(load, 0);
  if (from === undefined || to === undefined) return null;
  const hz = shownClock(trace);
  const isTime = axis === "time";
  const text = (at: number) => (hz === null || !isTime ? countText(at) : durationText(at, hz));
  const lengthText = (length: number) =>
    isTime ? durationText(length, hz) : plural(length, "event");
  // Rounded as in the profile.
  const percent = (length: number) => Math.round((100_000 * length) / whole) / 1000;
  const share = (length: number) =>
    `${shareText(whole > 0 ? percent(length) : null)} (${lengthText(length)})`;
  const isApart = (kind: string) => kind === "idle" || kind === "unknown";
  const rows = load.contexts.map(({ kind, name, lengths: [length = 0] }) => ({
    kind,
    name,
    length,
  }));
  const busy = rows
    .filter(({ kind }) => !isApart(kind))
    .sort((one, other) => other.length - one.length);
  const more = busy.slice(MAX_LISTED);
  const listed = [...busy.slice(0, MAX_LISTED), ...rows.filter(({ kind }) => isApart(kind))];
  return {
    title: of === null ? loadTitle(core, axis) : `${loadTitle(core, axis)}: ${of.name}`,
    rows: factsOf([
      isTime
        ? ["Window", `${text(from)} to ${hz === null ? ticksText(to) : text(to)}`]
        : ["Events", `${text(from)} to ${text(to - 1)}`],
      isTime && ["Duration", lengthText(to - from)],
      ...listed.map(({ name, length }): Fact => [name, share(length)]),
      more.length > 0 && [
        `${more.length} more`,
        share(more.reduce((sum, { length }) => sum + length, 0)),
      ],
    ]),
  };
}
