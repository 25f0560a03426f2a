/**
 * What only the viewer of a server does. All other tests also run on the page without a server.
 * Chapter "Without a server" of the book lists the same differences.
 */

/** Files of tests, or titles of single tests, with the reason. */
export const SERVER_ONLY: Readonly<Record<string, string>> = {
  "connection.spec.ts": "the program ends, and starts again",
  "live.spec.ts": "live traces",
  "opening.spec.ts": "requests over HTTP are held back",
  "recent.spec.ts": "the program knows the recordings that were opened last",
  "sql.spec.ts": "SQL",
  "answers are accessible in both themes": "SQL",
  "a file of the command line that is not a trace": "the program reports it on standard error",
  "pages on one server keep each other's notes": "pages share a server",
  "two markers show their difference": "requests over HTTP are held back",
};

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Matches these tests. */
export const serverOnly = new RegExp(Object.keys(SERVER_ONLY).map(escaped).join("|"));
