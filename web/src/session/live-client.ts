/** Live status requests. */

import { expectOk } from "./client";
import { request } from "./connection";
import type { LiveStatus } from "./wire";

/** Conditions that end a watch request: */
export interface WatchRequest {
  /** a snapshot newer than this, */
  after: number;
  /** or a status version other than this. */
  version: number;
  /** Snapshot to keep meanwhile. */
  hold: number | null;
}

/** Settings of the target's filter, such as `markers=off`, and names of commands. */
export interface TargetCommands {
  settings?: readonly string[];
  commands?: readonly string[];
}

/** Requests about one live trace. */
export interface LiveClient {
  /** Answers when something changes, or after a timeout. */
  watch(waiting: WatchRequest, signal: AbortSignal): Promise<LiveStatus>;
  /** Makes a snapshot of everything in memory and keeps it. */
  pause(signal?: AbortSignal): Promise<LiveStatus>;
  /** The same for the part before an event of the recording, from disk. */
  older(before: number, signal?: AbortSignal): Promise<LiveStatus>;
  /** Answers when the target has taken the commands. */
  commandTarget(commands: TargetCommands): Promise<void>;
}

/** Client of the live trace with that id. */
export function liveClient(id: number): LiveClient {
  const at = `api/traces/${id}/live`;
  const read = async (response: Promise<Response>) =>
    (await expectOk(await response)).json() as Promise<LiveStatus>;
  const posted = (signal?: AbortSignal): RequestInit => ({
    method: "POST",
    ...(signal ? { signal } : {}),
  });
  return {
    watch({ after, version, hold }, signal) {
      const held = hold === null ? "" : `&hold=${hold}`;
      return read(request(`${at}?after=${after}&version=${version}${held}`, { signal }));
    },
    pause: (signal) => read(request(`${at}/pause`, posted(signal))),
    older: (before, signal) => read(request(`${at}/older?before=${before}`, posted(signal))),
    async commandTarget(commands) {
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify(commands);
      await expectOk(await request(`${at}/target`, { method: "POST", headers, body }));
    },
  };
}
