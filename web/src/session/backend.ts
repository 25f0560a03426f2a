/** What answers the requests of the page: the server, or workers in a page without one. */

import { Folder } from "./folder";
import type { SourceLine } from "./wire";

/** Answers requests, as the HTTP API of the server does. */
export interface Backend {
  request(at: string, init?: RequestInit): Promise<Response>;
  /** Opens a file; `sent` is called with the fraction sent, 0 to 1. */
  upload(file: File, sent: (part: number) => void): Promise<Response>;
  /** What is special about a page without a server. */
  standalone?: Standalone;
}

/** A page without a server. */
export interface Standalone {
  /**
   * Returns the recordings. The other files help to decode them; if there are no recordings, those
   * that are opened from now on.
   */
  recordingsOf(files: readonly File[]): Promise<File[]>;
  /** Recordings to try. */
  readonly samples: readonly Sample[];
  /** Address from which a recording was loaded. */
  addressOf(id: number): string | undefined;
  /** Shows source code, if the program around the page can. */
  readonly showSource?: ((line: SourceLine) => void) | undefined;
}

/** A recording to try. */
export interface Sample {
  name: string;
  /** What it shows. */
  about: string;
  address: string;
}

/** `fetch` does not report upload progress. */
function post(at: string, file: File, sent: (part: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const posting = new XMLHttpRequest();
    posting.upload.addEventListener("progress", ({ loaded, total }) =>
      sent(total > 0 ? loaded / total : 1),
    );
    posting.upload.addEventListener("load", () => sent(1));
    posting.addEventListener("load", () => {
      resolve(new Response(posting.responseText, { status: posting.status }));
    });
    posting.addEventListener("error", () => reject(new Error("no connection")));
    posting.open("POST", at);
    posting.send(file);
  });
}

const server: Backend = {
  request: (at, init) => fetch(at, init),
  upload: async (file, sent) => {
    if (file instanceof Folder)
      throw new Error(`${file.name} is a folder: open it with rtoscope view ${file.name}`);
    return post(`api/traces?name=${encodeURIComponent(file.name)}`, file, sent);
  },
};

let current = server;

export const backend = (): Backend => current;

/** Replaces the server. */
export function setBackend(other: Backend): void {
  current = other;
}
