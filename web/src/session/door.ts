/** Client of a session. It uses HTTP; a worker could implement the same interface. */

import { connection, request, Unreachable } from "./connection";
import { type LanesAnswer, readLanes } from "./lanes";
import type {
  Bookmark,
  Command,
  Curve,
  Details,
  Diagram,
  Hits,
  Kind,
  Overview,
  Place,
  Posts,
  Probe,
  Query,
  Rows,
} from "./wire";

/** Answer types by query. A report has the shape of `rtoscope report --format json`. */
export interface Answers {
  overview: Overview;
  legend: Kind[];
  lanes: LanesAnswer;
  probe: Probe[];
  locate: Place | null;
  event: Details | null;
  events: Rows;
  step: Place | null;
  search: Hits;
  report: Record<string, unknown>;
  curve: Curve;
  history: Rows;
  posts: Posts;
  sequence: Diagram;
  machine: Diagram;
  bookmarks: Bookmark[];
}

/** A query of one type. */
export type Asking<A extends Query["ask"]> = Extract<Query, { ask: A }>;

/** A trace that is open on the server. */
export interface Listed {
  id: number;
  name: string;
  /** Whether it is still being recorded. */
  live?: boolean;
}

/** Error reported by the server, with a message for the user. */
export class Refused extends Error {
  /** `status` is the HTTP status, 0 if no request was sent. */
  constructor(
    message: string,
    readonly status = 0,
  ) {
    super(message);
  }
}

/** Access to one open trace. */
export interface Door {
  ask<A extends Query["ask"]>(query: Asking<A>, signal?: AbortSignal): Promise<Answers[A]>;
  tell(command: Command): Promise<void>;
}

/** Returns the response if it is a success, throws otherwise. */
export async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const text = await response.text();
  let message = `the server answered with status ${response.status}`;
  try {
    message = (JSON.parse(text) as { error: string }).error;
  } catch {
    // Not an error of this API: the status has to do.
  }
  throw new Refused(message, response.status);
}

const json = (body: unknown, signal?: AbortSignal): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
  ...(signal ? { signal } : {}),
});

/** Client of a trace or, for a live trace, of one of its snapshots. */
export function door(id: number, edition?: number): Door {
  const of = edition === undefined ? "" : `?edition=${edition}`;
  return {
    async ask<A extends Query["ask"]>(query: Asking<A>, signal?: AbortSignal) {
      const response = await checked(
        await request(`api/traces/${id}/ask${of}`, json(query, signal)),
      );
      const answer =
        query.ask === "lanes" ? readLanes(await response.arrayBuffer()) : await response.json();
      return answer as Answers[A];
    },
    async tell(command) {
      await checked(await request(`api/traces/${id}/tell${of}`, json(command)));
    },
  };
}

/** Traces that are open on the server. */
export async function list(): Promise<Listed[]> {
  return (await checked(await request("api/traces"))).json() as Promise<Listed[]>;
}

/**
 * Uploads and opens a file that was dropped on the page; `sent` is called with the fraction sent, 0
 * to 1.
 */
export async function open(
  file: File,
  sent: (part: number) => void = () => undefined,
): Promise<Listed> {
  const response = await upload(`api/traces?name=${encodeURIComponent(file.name)}`, file, sent);
  return (await checked(response)).json() as Promise<Listed>;
}

/** Posts a file. `fetch` does not report upload progress. */
function upload(at: string, file: File, sent: (part: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const posting = new XMLHttpRequest();
    posting.upload.addEventListener("progress", ({ loaded, total }) =>
      sent(total > 0 ? loaded / total : 1),
    );
    posting.upload.addEventListener("load", () => sent(1));
    posting.addEventListener("load", () => {
      resolve(new Response(posting.responseText, { status: posting.status }));
    });
    posting.addEventListener("error", () => {
      connection.value = "lost";
      reject(new Unreachable());
    });
    posting.open("POST", at);
    posting.send(file);
  });
}

/** Closes a trace. */
export async function close(id: number): Promise<void> {
  await checked(await request(`api/traces/${id}`, { method: "DELETE" }));
}
