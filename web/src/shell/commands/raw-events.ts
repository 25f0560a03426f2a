/** Command that saves events as recorded. */

import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";
import { saveFile, stemOf } from "../files";
import { type Command, commandsOf } from "./command";

/** Number of events of a query. */
const PAGE = 50_000;
/** A larger file is a matter for the command line. */
const MAX_EVENTS = 2_000_000;

/** Saves the visible events as CSV, as `rtoscope events` writes the same columns. */
async function saveRawEvents(trace: TraceState): Promise<void> {
  try {
    const window = trace.queryWindow();
    const parts: string[] = [];
    for (let [offset, total] = [0, 1]; offset < total; offset += PAGE) {
      const query = { query: "raw-events", window, offset, limit: PAGE } as const;
      const answer = await trace.client.query<"raw-events">(query);
      total = answer.total;
      if (total > MAX_EVENTS) {
        const columns = answer.header.trim();
        throw new Error(
          `Too many events for the page: use rtoscope events --format csv --columns ${columns}`,
        );
      }
      if (offset === 0) parts.push(answer.header);
      parts.push(answer.lines);
    }
    saveFile(new Blob(parts, { type: "text/csv" }), `${stemOf(trace.overview.name)}-raw.csv`);
  } catch (error) {
    showError(error);
  }
}

export const rawEventCommands: readonly Command[] = [
  commandsOf("Files").ofTrace(
    "raw-events",
    "Save the visible events as recorded",
    [],
    (trace) => void saveRawEvents(trace),
  ),
];
