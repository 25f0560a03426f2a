/** What the server says of a recording that is still under way. */

import { request } from "./connection";
import { checked } from "./door";
import type { LiveStatus } from "./wire";

/** What is waited for. */
export interface Waiting {
  /** Another edition than this, */
  after: number;
  /** or another status than this. */
  seen: number;
  /** The edition that is to be kept meanwhile. */
  hold: number | null;
}

/** The requests about one live trace. */
export interface Recording {
  /** Answers when something has changed, or after a while. */
  watch(waiting: Waiting, signal: AbortSignal): Promise<LiveStatus>;
  /** Makes an edition of all that is in memory, and keeps it. */
  pause(signal?: AbortSignal): Promise<LiveStatus>;
  /** The same of what lies before an event of the whole recording, from the disk. */
  older(before: number, signal?: AbortSignal): Promise<LiveStatus>;
}

/** The live trace of that number. */
export function recording(id: number): Recording {
  const at = `api/traces/${id}/live`;
  const read = async (response: Promise<Response>) =>
    (await checked(await response)).json() as Promise<LiveStatus>;
  const posted = (signal?: AbortSignal): RequestInit => ({
    method: "POST",
    ...(signal ? { signal } : {}),
  });
  return {
    watch({ after, seen, hold }, signal) {
      const held = hold === null ? "" : `&hold=${hold}`;
      return read(request(`${at}?after=${after}&seen=${seen}${held}`, { signal }));
    },
    pause: (signal) => read(request(`${at}/pause`, posted(signal))),
    older: (before, signal) => read(request(`${at}/older?before=${before}`, posted(signal))),
  };
}
