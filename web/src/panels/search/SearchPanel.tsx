/** Search panel: finds events by a filter expression, or by the fields of a form. */

import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Button } from "../../shell/controls";
import { Icon } from "../../shell/Icon";
import { plural } from "../../state/format";
import { step } from "../../state/navigation";
import { settings } from "../../state/settings";
import type { TraceState } from "../../state/trace";
import { VirtualTable } from "../events/VirtualTable";
import { FilterHelp } from "./FilterHelp";
import {
  clearProblem,
  clearSearch,
  focusRequests,
  hitsBefore,
  runSearch,
  useRecount,
} from "./run-search";
import { suggestions } from "./suggestions";
import { ValueForm } from "./ValueForm";
import "../panel.css";
import "./search.css";

/** List of the hits. */
function Hits({ trace }: { trace: TraceState }) {
  useRecount(trace);
  const searched = trace.searchResult.value;
  if (searched === null || searched.error !== null) return null;
  const { search, total } = searched;
  const by = { mode: "search", search } as const;
  return (
    <>
      <div class="row hit-count" role="status">
        <b>{plural(total, "hit")}</b>
        <Button disabled={total === 0} onClick={() => void step(trace, "previous", by)}>
          <Icon name="up" /> Previous hit
        </Button>
        <Button disabled={total === 0} onClick={() => void step(trace, "next", by)}>
          <Icon name="down" /> Next hit
        </Button>
        <Button onClick={() => clearSearch(trace)}>Clear</Button>
      </div>
      {total > 0 && (
        <div class="list-place">
          <VirtualTable
            key={search.filter}
            trace={trace}
            label="Search hits"
            total={total}
            version={trace.dataVersion.value}
            source={search.filter}
            rowOf={(event) => hitsBefore(trace, search, event)}
            fetch={(from, count, signal) =>
              trace.client.query({ query: "events", offset: from, limit: count, search }, signal)
            }
          />
        </div>
      )}
    </>
  );
}

export function SearchPanel({ trace }: { trace: TraceState }) {
  const filter = useSignal(trace.searchResult.peek()?.search.filter ?? "");
  const way = useSignal<"filter" | "values">("filter");
  const input = useRef<HTMLInputElement>(null);
  const seen = useRef(0);
  const submitted = useRef("");
  const shown = useRef(filter.peek());
  // Shows searches that begin elsewhere. The result of the panel's own search, or of a
  // recount, must not overwrite what the user has typed since.
  useSignalEffect(() => {
    const searched = trace.searchResult.value?.search.filter;
    if (searched === undefined || searched === shown.current) return;
    shown.current = searched;
    if (searched !== submitted.current) filter.value = searched;
  });
  useSignalEffect(() => {
    const wanted = focusRequests.value;
    if (wanted === seen.current) return;
    seen.current = wanted;
    // A dialog that has just been closed restores the focus first.
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.select();
    });
  });
  const search = (text: string) => {
    submitted.current = text.trim();
    if (text.trim() === "") clearSearch(trace);
    else void runSearch(trace, text.trim());
  };
  const problem = trace.searchResult.value?.error ?? null;
  const suggested = suggestions(filter.value, trace.overview);
  const recent = settings.recentSearches.value.filter((one) => typeof one === "string");
  return (
    <div class="panel full search">
      {/* biome-ignore lint/a11y/useSemanticElements: the form is itself the landmark */}
      <form
        class="filter-form"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          search(filter.value);
        }}
      >
        <div class="row">
          <input
            ref={input}
            class="mono"
            aria-label="Filter"
            list="filter-suggestions"
            spellcheck={false}
            autocomplete="off"
            placeholder="mutex, or kind == tx_queue_send and context == sensor"
            value={filter.value}
            aria-invalid={problem !== null}
            aria-describedby={problem === null ? undefined : "filter-problem"}
            onInput={(event) => {
              filter.value = event.currentTarget.value;
              clearProblem(trace);
            }}
          />
          <button type="submit" class="main">
            Search
          </button>
        </div>
        <datalist id="filter-suggestions">
          {suggested.map(({ filter, label }) => (
            <option key={filter} value={filter} label={label} />
          ))}
          {recent.map((one) => (
            <option key={one} value={one} label="recent" />
          ))}
        </datalist>
        {problem !== null && (
          <pre class="problem" id="filter-problem" role="alert">
            {problem}
          </pre>
        )}
      </form>
      <div class="row">
        <Button
          aria-expanded={way.value === "values"}
          aria-pressed={way.value === "values"}
          onClick={() => {
            way.value = way.peek() === "values" ? "filter" : "values";
          }}
        >
          By value
        </Button>
        <FilterHelp />
      </div>
      {way.value === "values" && (
        <ValueForm
          trace={trace}
          search={(text) => {
            filter.value = text;
            search(text);
          }}
        />
      )}
      <Hits trace={trace} />
    </div>
  );
}
