/** Client of a session. */

import { backend } from "./backend";
import { request, unreachable } from "./connection";
import { type LanesAnswer, readLanes } from "./lanes";
import type {
  ComparisonDocument,
  CriticalPathReport,
  DescribedTable,
  FigureDetails,
  OverlaidHistogram,
  RecordingFigures,
} from "./reports";
import type {
  Bookmark,
  Clock,
  Command,
  CpuLoad,
  Diagram,
  EventDetails,
  EventKind,
  EventPosition,
  EventRows,
  Graph,
  IntervalBars,
  LaneLook,
  MessageBars,
  OpeningProgress,
  Overview,
  Plot,
  Posts,
  Probe,
  Query,
  RawEvents,
  SearchHits,
} from "./wire";

/**
 * Answer types by query. A report has the shape of `rtoscope report --format json`, or is
 * `ReportTables`.
 */
export interface Answers {
  overview: Overview;
  clock: Clock;
  legend: EventKind[];
  lanes: LanesAnswer;
  probe: Probe[];
  locate: EventPosition | null;
  event: EventDetails | null;
  events: EventRows;
  step: EventPosition | null;
  search: SearchHits;
  report: Record<string, unknown>;
  graph: Graph;
  "critical-path": CriticalPathReport | null;
  "cpu-load": CpuLoad;
  intervals: DescribedTable[];
  "interval-bars": IntervalBars;
  plot: Plot;
  messages: MessageBars;
  "raw-events": RawEvents;
  history: EventRows;
  posts: Posts;
  sequence: Diagram;
  machine: Diagram;
  communication: Diagram;
  figures: RecordingFigures;
  comparison: ComparisonDocument;
  figure: FigureDetails | null;
  "overlaid-histogram": OverlaidHistogram | null;
  bookmarks: Bookmark[];
  "lane-looks": LaneLook[];
}

/** A query of one type. */
export type QueryOf<A extends Query["query"]> = Extract<Query, { query: A }>;

/** A trace that is open on the server. */
export interface OpenTrace {
  id: number;
  name: string;
  /** Whether it is still being recorded. */
  live?: boolean;
}

/** Error reported by the server, with a message for the user. */
export class ApiError extends Error {
  /** `status` is the HTTP status, 0 if no request was sent. */
  constructor(
    message: string,
    readonly status = 0,
  ) {
    super(message);
  }
}

/** Access to one open trace. */
export interface SessionClient {
  query<A extends Query["query"]>(query: QueryOf<A>, signal?: AbortSignal): Promise<Answers[A]>;
  command(command: Command): Promise<void>;
}

/** Returns the response if it is a success, throws otherwise. */
export async function expectOk(response: Response): Promise<Response> {
  if (response.ok) return response;
  const text = await response.text();
  let message = `the server answered with status ${response.status}`;
  try {
    message = (JSON.parse(text) as { error: string }).error;
  } catch {
    // Not an error of this API: the status has to do.
  }
  throw new ApiError(message, response.status);
}

/** Options of a request with a JSON body. */
export const jsonPost = (body: unknown, signal?: AbortSignal): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
  ...(signal ? { signal } : {}),
});

/** Client of a trace or, for a live trace, of one of its snapshots. */
export function sessionClient(id: number, snapshot?: number): SessionClient {
  const of = snapshot === undefined ? "" : `?snapshot=${snapshot}`;
  return {
    async query<A extends Query["query"]>(query: QueryOf<A>, signal?: AbortSignal) {
      const response = await expectOk(
        await request(`api/traces/${id}/query${of}`, jsonPost(query, signal)),
      );
      const answer =
        query.query === "lanes" ? readLanes(await response.arrayBuffer()) : await response.json();
      return answer as Answers[A];
    },
    async command(command) {
      await expectOk(await request(`api/traces/${id}/command`, jsonPost(command)));
    },
  };
}

/** Progress of opening a trace; `null` if it is open. */
export async function openingProgress(id: number): Promise<OpeningProgress | null> {
  const response = await expectOk(await request(`api/traces/${id}/progress`));
  return response.json() as Promise<OpeningProgress | null>;
}

/** Traces that are open on the server. */
export async function listTraces(): Promise<OpenTrace[]> {
  return (await expectOk(await request("api/traces"))).json() as Promise<OpenTrace[]>;
}

/**
 * Uploads and opens a file that was dropped on the page; `sent` is called with the fraction sent, 0
 * to 1.
 */
export async function openFile(
  file: File,
  sent: (part: number) => void = () => undefined,
): Promise<OpenTrace> {
  const response = await backend().upload(file, sent).catch(unreachable);
  return (await expectOk(response)).json() as Promise<OpenTrace>;
}

/** A recording that was opened before. */
export interface RecentRecording {
  id: string;
  name: string;
  folder: string;
  /** In seconds since 1970. */
  opened: number;
  exists: boolean;
}

/** Recordings that were opened last, the newest first. */
export async function listRecent(): Promise<RecentRecording[]> {
  return (await expectOk(await request("api/recent"))).json() as Promise<RecentRecording[]>;
}

/** Opens a recording that was opened before. */
export async function openRecent(id: string): Promise<OpenTrace> {
  const response = await request(`api/recent/${encodeURIComponent(id)}`, { method: "POST" });
  return (await expectOk(response)).json() as Promise<OpenTrace>;
}

/** Empties the list of recordings that were opened last. */
export async function clearRecent(): Promise<void> {
  await expectOk(await request("api/recent", { method: "DELETE" }));
}

/** Closes a trace. */
export async function close(id: number): Promise<void> {
  await expectOk(await request(`api/traces/${id}`, { method: "DELETE" }));
}
