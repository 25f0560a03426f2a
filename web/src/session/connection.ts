/** Connection state of the server. Every request of the page goes through here. */

import { signal } from "@preact/signals";
import { backend } from "./backend";

/** `lost`: no answer; `refused`: a server answers, but rejects this page. */
export type ConnectionState = "open" | "lost" | "refused";

/** Current state of the connection to the server. */
export const connection = signal<ConnectionState>("open");

/** The server cannot be reached. */
export class ServerUnreachable extends Error {
  constructor() {
    super("Cannot connect to rtoscope.");
  }
}

/** Marks the connection as lost. */
export function unreachable(): never {
  connection.value = "lost";
  throw new ServerUnreachable();
}

/** Fetches, and marks the connection as lost if the server cannot be reached. */
export async function request(at: string, init?: RequestInit): Promise<Response> {
  try {
    return await backend().request(at, init);
  } catch (error) {
    // Aborted by the page.
    if (init?.signal?.aborted === true) throw error;
    return unreachable();
  }
}

/** What a health check of the server reports; `null` if the server does not report it. */
export interface ServerHealth {
  /** Identifies the process. */
  instance: string | null;
  /** Number of commands of all pages. */
  commands: string | null;
}

export async function serverHealth(): Promise<ServerHealth> {
  const { headers } = await request("healthz", { cache: "no-store" });
  return { instance: headers.get("rtoscope-instance"), commands: headers.get("rtoscope-commands") };
}
