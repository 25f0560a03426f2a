/** Encodes a location of the view in the fragment of the address. */

import type { Axis } from "../session/wire";
import type { PathSelection } from "../state/critical-path";
import type { SqlQuery } from "../state/result-lane";
import type { Moment } from "../state/trace";

/** Location of the view; missing or invalid parts are omitted. */
export interface ViewLocation {
  /** Address of the recording's file, which a page without a server opens. */
  open?: string;
  /** Trace by tab position and name. */
  trace?: number;
  name?: string;
  /** Fingerprint of its recording, see state/fingerprint.ts. */
  recording?: string;
  axis?: Axis;
  from?: number;
  to?: number;
  event?: number;
  a?: Moment;
  b?: Moment;
  pinned?: number[];
  search?: string;
  /** User-defined intervals, see state/intervals.ts. */
  intervals?: string;
  /** The SQL query that ran last. */
  sql?: SqlQuery;
  /** Whether its result is shown as a lane. */
  sqlLane?: boolean;
  /** Lane arrangement, see state/lane-arrangement.ts. */
  lanes?: string;
  /** Event of the critical path, its context, and whether it goes beyond the first cause. */
  path?: PathSelection;
  /** Tab positions of the baseline and of the recording that is compared with it. */
  compare?: [number, number];
  /** Their moments that are beside each other, if not their starts. */
  align?: [Moment, Moment];
  /** Whether they move on their own. */
  unlinked?: boolean;
  side?: string;
  bottom?: string;
}

const MAX_PINNED = 16;
/** Marks a critical path that goes beyond the first cause. */
const BEYOND = ".beyond";

/** A number with enough digits for a position. */
const positionText = (value: number) => String(Number(value.toPrecision(12)));

/** Encodes a location. */
export function encodeLocation(spot: ViewLocation): string {
  const written = new URLSearchParams();
  const put = (key: string, value: string | undefined) => {
    if (value !== undefined) written.set(key, value);
  };
  const moment = (at: Moment | undefined) => at && `${at.time}.${at.event}`;
  put("open", spot.open);
  put("trace", spot.trace?.toString());
  put("name", spot.name);
  put("recording", spot.recording);
  put("axis", spot.axis);
  put("from", spot.from === undefined ? undefined : positionText(spot.from));
  put("to", spot.to === undefined ? undefined : positionText(spot.to));
  put("event", spot.event?.toString());
  put("a", moment(spot.a));
  put("b", moment(spot.b));
  if (spot.pinned && spot.pinned.length > 0) put("pinned", spot.pinned.join("."));
  put("search", spot.search);
  put("intervals", spot.intervals);
  put("sql", spot.sql?.sql);
  put("sql-named", spot.sql?.named ?? undefined);
  if (spot.sql?.named) put("sql-set", new URLSearchParams(spot.sql.set).toString());
  put("sql-lane", spot.sqlLane ? "1" : undefined);
  put("lanes", spot.lanes);
  put("path", spot.path && pathText(spot.path));
  put("compare", spot.compare?.join("."));
  put("align", spot.align?.map(moment).join("."));
  put("unlinked", spot.unlinked ? "1" : undefined);
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

function parseCompared(text: string | null): [number, number] | undefined {
  const [before, after, ...more] = (text ?? "").split(".").map(parseCount);
  if (before === undefined || after === undefined || more.length > 0) return undefined;
  return before === after ? undefined : [before, after];
}

function parseAlignment(text: string | null): [Moment, Moment] | undefined {
  const parts = (text ?? "").split(".");
  const [before, after] = [parts.slice(0, 2), parts.slice(2)].map((of) =>
    parseMoment(of.join(".")),
  );
  return before && after && [before, after];
}

function parseSqlQuery(given: URLSearchParams): SqlQuery | undefined {
  const sql = given.get("sql");
  if (!sql) return undefined;
  const named = given.get("sql-named") || null;
  const set = new URLSearchParams(named === null ? "" : (given.get("sql-set") ?? ""));
  return { sql, named, set: Object.fromEntries(set) };
}

function pathText({ event, context, isBeyond }: PathSelection): string {
  return `${event}${context === null ? "" : `.of.${context}`}${isBeyond ? BEYOND : ""}`;
}

function parsePath(text: string | null): PathSelection | undefined {
  const [, number, of, beyond] = /^(\d+)(?:\.of\.(\d+))?(\.beyond)?$/.exec(text ?? "") ?? [];
  const event = parseCount(number);
  if (event === undefined) return undefined;
  return { event, context: parseCount(of) ?? null, isBeyond: beyond !== undefined };
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
    open: given.get("open") || undefined,
    trace: parseCount(given.get("trace")),
    name: given.get("name") ?? undefined,
    recording: given.get("recording") ?? undefined,
    axis: axis === "time" || axis === "index" ? axis : undefined,
    from: isPart ? from : undefined,
    to: isPart ? to : undefined,
    event: parseCount(given.get("event")),
    a: parseMoment(given.get("a")),
    b: parseMoment(given.get("b")),
    pinned: pinned && pinned.length > 0 ? [...new Set(pinned)].slice(0, MAX_PINNED) : undefined,
    search: given.get("search") || undefined,
    intervals: given.get("intervals") || undefined,
    sql: parseSqlQuery(given),
    sqlLane: given.get("sql-lane") === "1" || undefined,
    lanes: given.get("lanes") || undefined,
    path: parsePath(given.get("path")),
    compare: parseCompared(given.get("compare")),
    align: parseAlignment(given.get("align")),
    unlinked: given.get("unlinked") === "1" || undefined,
    side: given.get("side") ?? undefined,
    bottom: given.get("bottom") ?? undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
