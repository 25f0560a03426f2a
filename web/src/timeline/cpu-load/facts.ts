/** Tooltip of the CPU load. */

import { countText, durationText, shareText, shownClock, ticksText } from "../../state/format";
import type { TraceState } from "../../state/trace";
import { type Fact, type Facts, factsOf } from "../tooltip/facts";
import { type LoadPart, ticksOf } from "./stack";

/** Contexts that are asked for, and those that are listed. */
const MAX_CONTEXTS = 4096;
const MAX_LISTED = 8;

/** Title of a row. */
export const loadTitle = (core: number | null): string =>
  core === null ? "CPU load" : `CPU load of core ${core}`;

/** Queries the time of each context in a part: the figures of the profile of that part. */
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
  const [from, to] = load.times;
  const whole = ticksOf(load, 0);
  if (from === undefined || to === undefined) return null;
  const hz = shownClock(trace);
  const text = (ticks: number) => (hz === null ? countText(ticks) : durationText(ticks, hz));
  // Rounded as in the profile.
  const percent = (ticks: number) => Math.round((100_000 * ticks) / whole) / 1000;
  const share = (ticks: number) =>
    `${shareText(whole > 0 ? percent(ticks) : null)} (${durationText(ticks, hz)})`;
  const isApart = (kind: string) => kind === "idle" || kind === "unknown";
  const rows = load.contexts.map(({ kind, name, ticks: [ticks = 0] }) => ({ kind, name, ticks }));
  const busy = rows
    .filter(({ kind }) => !isApart(kind))
    .sort((one, other) => other.ticks - one.ticks);
  const more = busy.slice(MAX_LISTED);
  const listed = [...busy.slice(0, MAX_LISTED), ...rows.filter(({ kind }) => isApart(kind))];
  return {
    title: of === null ? loadTitle(core) : `${loadTitle(core)}: ${of.name}`,
    rows: factsOf([
      ["Window", `${text(from)} to ${hz === null ? ticksText(to) : text(to)}`],
      ["Duration", durationText(to - from, hz)],
      ...listed.map(({ name, ticks }): Fact => [name, share(ticks)]),
      more.length > 0 && [
        `${more.length} more`,
        share(more.reduce((sum, { ticks }) => sum + ticks, 0)),
      ],
    ]),
  };
}
