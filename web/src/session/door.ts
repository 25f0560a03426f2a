/** The way to a session. Over HTTP here; a worker could answer the same. */

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

/** The answers by question. A report's shape is that of `rtoscope report --format json`. */
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

/** A question of one kind. */
export type Asking<A extends Query["ask"]> = Extract<Query, { ask: A }>;

/** A trace that the server has open. */
export interface Listed {
  id: number;
  name: string;
  /** Whether it is still being recorded. */
  live?: boolean;
}

/** What the server refused, in words for people. */
export class Refused extends Error {
  /** `status` is that of HTTP, 0 if the question was not even asked. */
  constructor(
    message: string,
    readonly status = 0,
  ) {
    super(message);
  }
}

/** The way to one open trace. */
export interface Door {
  ask<A extends Query["ask"]>(query: Asking<A>, signal?: AbortSignal): Promise<Answers[A]>;
  tell(command: Command): Promise<void>;
}

/** The response, unless the server refused. */
export async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const text = await response.text();
  let message = `the server answered ${response.status}`;
  try {
    message = (JSON.parse(text) as { error: string }).error;
  } catch {
    // Not ours: the status has to do.
  }
  throw new Refused(message, response.status);
}

const json = (body: unknown, signal?: AbortSignal): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
  ...(signal ? { signal } : {}),
});

/** The way to the trace of that number or, of a live one, to that edition of it. */
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

/** The traces that the server has open. */
export async function list(): Promise<Listed[]> {
  return (await checked(await request("api/traces"))).json() as Promise<Listed[]>;
}

/** Opens the bytes of a file that was dropped on the page; `sent` gets the part that the server has, 0 to 1. */
export async function open(
  file: File,
  sent: (part: number) => void = () => undefined,
): Promise<Listed> {
  const response = await upload(`api/traces?name=${encodeURIComponent(file.name)}`, file, sent);
  return (await checked(response)).json() as Promise<Listed>;
}

/** Posts a file. `fetch` does not say how much of it has gone. */
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
