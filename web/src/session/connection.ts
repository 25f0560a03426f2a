/** Whether the server answers. Every request of the page goes through here. */

import { signal } from "@preact/signals";

/** `lost`: nothing answers; `refused`: something does, but not to this page. */
export type Connection = "open" | "lost" | "refused";

/** How the connection to the server is. */
export const connection = signal<Connection>("open");

/** The server could not be reached. */
export class Unreachable extends Error {
  constructor() {
    super("rtoscope does not answer.");
  }
}

/** Fetches; a server that cannot be reached is noticed by the whole page. */
export async function request(at: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(at, init);
  } catch (error) {
    // Taken back by the page itself.
    if (init?.signal?.aborted === true) throw error;
    connection.value = "lost";
    throw new Unreachable();
  }
}

/** Which run of the program answers; `null` if that server does not say. */
export async function serverInstance(): Promise<string | null> {
  const response = await request("healthz", { cache: "no-store" });
  return response.headers.get("rtoscope-instance");
}
