/** Messages between the extension and the page in its editor. */

import type { SourceLine } from "../../src/session/wire";

/** A recording, and what helps to decode it. */
export interface RecordingMessage {
  options: string[];
  files: [name: string, content: Uint8Array<ArrayBuffer>][];
}

/** From the extension. */
export type ToPage = { recording: RecordingMessage } | { error: string };

/** From the page: it is loaded, has new notes as the text of a notes file, or shows source code. */
export type FromPage = { loaded: true } | { notes: string } | { source: SourceLine };
