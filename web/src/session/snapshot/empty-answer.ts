import type { Answers } from "../client";
import type { Query } from "../wire";

/**
 * Answer for something that the snapshot does not have; `undefined` for queries that always need an
 * answer.
 */
export function emptyAnswer(query: Query): Answers[Query["query"]] | undefined {
  switch (query.query) {
    case "step":
      return null;
    case "graph":
      return { positions: [], min: [], max: [], limit: null };
    case "plot":
      return { positions: [], values: [], events: [], total: 0 };
    case "messages":
      return {
        total: 0,
        starts: [],
        ends: [],
        ticks: [],
        rows: [],
        puts: [],
        end_events: [],
        putters: [],
        takers: [],
        endings: [],
      };
    case "history":
      return { total: 0, rows: [] };
    case "communication":
    case "machine":
    case "sequence":
      return { text: "", shown: 0, skipped: 0 };
    default:
      return undefined;
  }
}
