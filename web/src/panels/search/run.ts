/** Making and clearing a search. */

import { batch, signal, useSignalEffect } from "@preact/signals";
import { Refused } from "../../session/door";
import type { Search } from "../../session/wire";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { report } from "../../state/viewer";
import { limits } from "../../state/window";

const MOST_RECENT = 12;

/** Changes whenever the field for the filter should get the focus. */
export const wantsFocus = signal(0);

/** Puts the focus into the field for the filter, once it is there. */
export function focusSearch(): void {
  wantsFocus.value += 1;
}

function remember(filter: string): void {
  const others = settings.recentSearches.peek().filter((one) => one !== filter);
  settings.recentSearches.value = [filter, ...others].slice(0, MOST_RECENT);
}

/** Searches for the events that a filter means; next and previous go by them from now on. */
export async function runSearch(trace: TraceState, filter: string): Promise<void> {
  const search = { filter };
  try {
    const total = await count(trace, search);
    batch(() => {
      trace.searched.value = { search, total, error: null };
      trace.by.value = { mode: "search", search };
    });
    remember(filter);
  } catch (error) {
    if (!(error instanceof Refused)) {
      report(error);
      return;
    }
    batch(() => {
      trace.searched.value = { search, total: 0, error: error.message };
      if (trace.by.peek().mode === "search") trace.by.value = { mode: "event" };
    });
  }
}

async function count(trace: TraceState, search: Search): Promise<number> {
  const window = { axis: "index", ...limits(trace.extent.peek(), "index") } as const;
  return (await trace.door.ask({ ask: "search", search, window, width: 1 })).total;
}

/** Counts the hits again when there is news of the trace. */
export function useRecount(trace: TraceState): void {
  useSignalEffect(() => {
    const searched = trace.searched.peek();
    if (trace.news.value === 0 || searched === null || searched.error !== null) return;
    count(trace, searched.search).then((total) => {
      if (trace.searched.peek() === searched) trace.searched.value = { ...searched, total };
    }, report);
  });
}

/** How many hits lie before an event, which is the place of that event among them. */
export async function hitsBefore(
  trace: TraceState,
  search: Search,
  event: number,
): Promise<number> {
  const { from } = limits(trace.extent.peek(), "index");
  if (event <= from) return 0;
  const window = { axis: "index", from, to: event } as const;
  const { counts } = await trace.door.ask({ ask: "search", search, window, width: 1 });
  return counts[0] ?? 0;
}

/** Forgets the search. */
export function clearSearch(trace: TraceState): void {
  batch(() => {
    trace.searched.value = null;
    if (trace.by.peek().mode === "search") trace.by.value = { mode: "event" };
  });
}
