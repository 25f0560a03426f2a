/** Queries about the whole trace for the overview strip. */

import { effect, type Signal, signal, untracked } from "@preact/signals";
import type { LanesAnswer } from "../../session/lanes";
import type { Graph, Search, Window } from "../../session/wire";
import { type Interval, limits } from "../../state/interval";
import type { TraceState } from "../../state/trace";
import { showError } from "../../state/viewer";
import { palette } from "../palette";
import type { TimelineView } from "../view";

const MAX_WIDTH = 4096;

/** A filter that all events pass. */
const ALL_EVENTS = { filter: "event >= 0" };

/** Number of events in each pixel of an interval. */
export interface EventCounts extends Interval {
  counts: readonly number[];
}

/** Load graph, and the end of its window. */
export interface LoadGraph extends Graph {
  end: number;
}

/** Answers that the strip is drawn from; each has the axis and width of its query. */
export class OverviewData {
  readonly width = signal(0);
  readonly load: Signal<LoadGraph | null> = signal(null);
  readonly lanes: Signal<LanesAnswer | null> = signal(null);
  readonly hits: Signal<EventCounts | null> = signal(null);
  /** All events, if the load is not known. */
  readonly events: Signal<EventCounts | null> = signal(null);

  constructor(private readonly trace: TraceState) {}

  /** Subscribes to everything that the strip shows. */
  subscribe(view: TimelineView): void {
    const { trace } = this;
    void [
      this.load.value,
      this.lanes.value,
      this.hits.value,
      this.events.value,
      trace.window.value,
      trace.fullInterval.value,
      trace.bookmarks.value,
      trace.markers.a.value,
      trace.markers.b.value,
      trace.selected.value,
      trace.axis.value,
      view.positions.changes.value,
    ];
    palette();
  }

  /** Queries whenever the answers change; returns functions that stop this. */
  start(): (() => void)[] {
    return [
      effect(() =>
        this.queryWhole((window, width, signal) => {
          this.trace.client
            .query({ query: "graph", source: { kind: "load", core: null }, window, width }, signal)
            .then((graph) => {
              this.load.value = { ...graph, end: window.end };
              const isKnown = graph.max.some((load) => load !== null);
              return isKnown ? null : this.count(ALL_EVENTS, window, width, signal);
            })
            .then((events) => {
              this.events.value = events;
            }, showError);
          this.trace.client
            .query({ query: "lanes", window, width, lanes: [], search: null }, signal)
            .then((lanes) => {
              this.lanes.value = lanes;
            }, showError);
        }),
      ),
      effect(() => {
        const search = this.trace.searchResult.value?.search;
        if (search === undefined) {
          this.hits.value = null;
          return undefined;
        }
        return this.queryWhole((window, width, signal) => {
          // The search panel shows the error.
          this.count(search, window, width, signal).then(
            (hits) => {
              this.hits.value = hits;
            },
            () => {
              this.hits.value = null;
            },
          );
        });
      }),
    ];
  }

  private async count(
    search: Search,
    window: Window,
    width: number,
    signal: AbortSignal,
  ): Promise<EventCounts> {
    const query = { query: "search", search, window, width } as const;
    const { counts } = await this.trace.client.query(query, signal);
    return { ...window, counts };
  }

  private queryWhole(run: (window: Window, width: number, signal: AbortSignal) => void) {
    // The overview of a live trace changes at a limited rate.
    const axis = this.trace.axis.value;
    const window: Window = { axis, ...limits(this.trace.overview, axis) };
    const width = Math.min(Math.round(this.width.value), MAX_WIDTH);
    if (width < 1) return undefined;
    const asked = new AbortController();
    untracked(() => run(window, width, asked.signal));
    return () => asked.abort();
  }
}
