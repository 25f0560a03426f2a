import { signal } from "@preact/signals";
import { expect, it } from "vitest";
import type { TraceState } from "../../state/trace";
import { clearSearch, runSearch } from "./run-search";

it("a late result of an earlier search changes nothing", async () => {
  const answers: ((total: number) => void)[] = [];
  const answered = () => new Promise((resolve) => answers.push((total) => resolve({ total })));
  const trace = {
    extent: signal({ base: { event: 0, time: 0 }, events: 9, span: 9 }),
    searchResult: signal(null),
    stepMode: signal({ mode: "event" }),
    client: { query: answered },
  } as unknown as TraceState;
  const searches = ["first", "second", "cleared"].map((filter) => {
    const search = runSearch(trace, filter);
    if (filter === "cleared") clearSearch(trace);
    return search;
  });
  for (const answer of answers.reverse()) answer(1);
  await Promise.all(searches);
  expect(trace.searchResult.value).toBeNull();
  const later = runSearch(trace, "later");
  answers.at(-1)?.(2);
  await later;
  expect(trace.searchResult.value).toMatchObject({ search: { filter: "later" }, total: 2 });
});
