/** Command that saves events as recorded. */

import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";
import { saveFile } from "../files";
import { type Command, traceCommand } from "./command";

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
    const stem = trace.overview.name.replace(/\.[^.]*$/, "");
    saveFile(new Blob(parts, { type: "text/csv" }), `${stem}-raw.csv`);
  } catch (error) {
    showError(error);
  }
}

export const rawEventCommands: readonly Command[] = [
  traceCommand("Files", {
    id: "raw-events",
    title: "Save the visible events as recorded",
    keys: [],
    run: (trace) => void saveRawEvents(trace),
  }),
];
