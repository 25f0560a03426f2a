/** Encodes a location of the view in the fragment of the address. */

import type { Axis } from "../session/wire";
import type { Moment } from "../state/trace";

/** Location of the view; missing or invalid parts are omitted. */
export interface ViewLocation {
  /** Trace by tab position and name. */
  trace?: number;
  name?: string;
  axis?: Axis;
  from?: number;
  to?: number;
  event?: number;
  a?: Moment;
  b?: Moment;
  pinned?: number[];
  search?: string;
  /** Lane arrangement, see state/lane-arrangement.ts. */
  lanes?: string;
  side?: string;
  bottom?: string;
}

const MAX_PINNED = 16;

/** A number with enough digits for a position. */
const positionText = (value: number) => String(Number(value.toPrecision(12)));

/** Encodes a location. */
export function encodeLocation(spot: ViewLocation): string {
  const written = new URLSearchParams();
  const put = (key: string, value: string | undefined) => {
    if (value !== undefined) written.set(key, value);
  };
  const moment = (at: Moment | undefined) => at && `${at.time}.${at.event}`;
  put("trace", spot.trace?.toString());
  put("name", spot.name);
  put("axis", spot.axis);
  put("from", spot.from === undefined ? undefined : positionText(spot.from));
  put("to", spot.to === undefined ? undefined : positionText(spot.to));
  put("event", spot.event?.toString());
  put("a", moment(spot.a));
  put("b", moment(spot.b));
  if (spot.pinned && spot.pinned.length > 0) put("pinned", spot.pinned.join("."));
  put("search", spot.search);
  put("lanes", spot.lanes);
  put("side", spot.side);
  put("bottom", spot.bottom);
  return written.toString();
}

function parseCount(text: string | null | undefined): number | undefined {
  if (!text || !/^\d{1,16}$/.test(text)) return undefined;
  return Number(text);
}

function parseReal(text: string | null): number | undefined {
  if (text === null || text.trim() === "") return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

function parseMoment(text: string | null): Moment | undefined {
  const [time, event, ...more] = (text ?? "").split(".").map(parseCount);
  return time === undefined || event === undefined || more.length > 0 ? undefined : { time, event };
}

/** Decodes untrusted text. */
export function decodeLocation(text: string): ViewLocation {
  const given = new URLSearchParams(text.replace(/^#/, ""));
  const axis = given.get("axis");
  const pinned = given
    .get("pinned")
    ?.split(".")
    .map(parseCount)
    .filter((event) => event !== undefined);
  const from = parseReal(given.get("from"));
  const to = parseReal(given.get("to"));
  const isPart = from !== undefined && to !== undefined && from < to;
  const all: { [K in keyof ViewLocation]: ViewLocation[K] | undefined } = {
    trace: parseCount(given.get("trace")),
    name: given.get("name") ?? undefined,
    axis: axis === "time" || axis === "index" ? axis : undefined,
    from: isPart ? from : undefined,
    to: isPart ? to : undefined,
    event: parseCount(given.get("event")),
    a: parseMoment(given.get("a")),
    b: parseMoment(given.get("b")),
    pinned: pinned && pinned.length > 0 ? [...new Set(pinned)].slice(0, MAX_PINNED) : undefined,
    search: given.get("search") || undefined,
    lanes: given.get("lanes") || undefined,
    side: given.get("side") ?? undefined,
    bottom: given.get("bottom") ?? undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
