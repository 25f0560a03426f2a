// @vitest-environment jsdom

/** Names from traces are always shown as text. */

import { type ComponentChildren, render } from "preact";
import { afterEach, expect, it } from "vitest";
import type { Finding } from "../session/reports";
import { Dialogs } from "../shell/dialogs/Dialogs";
import { openDialog } from "../shell/dialogs/open-dialog";
import { HealthBanner } from "../shell/HealthBanner";
import { TraceTabs } from "../shell/TraceTabs";
import { activeId, traces } from "../state/viewer";
import { BookmarksPanel } from "./bookmarks/BookmarksPanel";
import { DetailsPanel } from "./details/DetailsPanel";
import { PinnedCards } from "./details/PinnedCards";
import { EventTableRow } from "./events/EventTableRow";
import { eventColumns } from "./events/event-columns";
import { fakeTrace, NASTY } from "./fixture";
import { LegendPanel } from "./legend/LegendPanel";
import { ModeBar } from "./navigation/ModeBar";
import { ObjectsPanel } from "./objects/ObjectsPanel";
import { ActiveObjects } from "./reports/views/ActiveObjects";
import { ContextSwitches } from "./reports/views/ContextSwitches";
import { Findings } from "./reports/views/Findings";
import { Profile } from "./reports/views/Profile";
import { Signals } from "./reports/views/Signals";
import { States } from "./reports/views/States";
import { Timers } from "./reports/views/Timers";
import { TransitionTable } from "./reports/views/TransitionTable";
import { SearchPanel } from "./search/SearchPanel";
import { TraceInfoPanel } from "./trace-info/TraceInfoPanel";

const DETAILS = {
  event: 5,
  time: 10,
  time_text: NASTY,
  timestamp: NASTY,
  core: 0,
  context: 1,
  priority: 4,
  threshold: 4,
  interrupted: 1,
  kind: 7,
  name: NASTY,
  symbol: NASTY,
  component: NASTY,
  arguments: [{ name: NASTY, text: NASTY, raw: NASTY, object: 0 }],
  next_running: NASTY,
  next_context: 1,
  since_previous: 1,
  until_next: 2,
  links: [{ cause: true, text: NASTY, event: 4, time: 9 }],
};
const FINDINGS: readonly Finding[] = [
  {
    severity: "critical",
    category: "loss",
    message: NASTY,
    event: 1,
    start_ticks: null,
    end_ticks: null,
  },
];
const ROW = { event: 5, time: 10, core: 0, context: 1, kind: 7, name: NASTY, arguments: NASTY };

const DURATION = {
  count: 2,
  min: 1,
  mean: 2,
  p50: 2,
  p90: 3,
  p99: 3,
  max: 3,
  event: 9,
  histogram: [{ min: 1, max: 3, count: 2 }],
};
const STATE = {
  state: NASTY,
  address: "0x1",
  ticks: 9,
  percent: 12,
  visits: 2,
  uncertain: 0,
  max_ticks: 5,
  max_event: 3,
};

const trace = fakeTrace({
  event: DETAILS,
  report: { schema: "rtoscope/report/2", findings: FINDINGS },
});
trace.selected.value = { event: 5, time: 10, context: 1, kind: 7 };
trace.pinned.value = [5];
trace.bookmarks.value = [{ event: 5, note: NASTY }];
trace.searchResult.value = { search: { filter: NASTY }, total: 0, error: NASTY };

const place = document.createElement("div");
document.body.append(place);
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.open = true;
}; // jsdom draws nothing.
globalThis.DOMMatrix ??= class {
  scale() {
    return this;
  }
} as never;
const drawing = new Proxy({}, { get: () => () => drawing, set: () => true });
HTMLCanvasElement.prototype.getContext = () => drawing as never;

afterEach(() => {
  render(null, place);
  openDialog.value = null;
  traces.value = [];
  activeId.value = null;
});

async function shown(children: ComponentChildren): Promise<HTMLElement> {
  render(children, place);
  for (let turn = 0; turn < 4; turn += 1) await new Promise((done) => setTimeout(done, 5));
  return place;
}

it.each([
  ["details", <DetailsPanel trace={trace} />],
  ["pinned details", <PinnedCards trace={trace} />],
  ["bookmarks", <BookmarksPanel trace={trace} />],
  ["the legend", <LegendPanel trace={trace} />],
  ["objects", <ObjectsPanel trace={trace} />],
  ["step modes", <ModeBar trace={trace} />],
  [
    "an event row",
    <EventTableRow
      columns={eventColumns(trace, false)}
      row={ROW}
      before={null}
      number={0}
      id="row"
      top={0}
      isSelected={false}
      choose={() => {}}
    />,
  ],
  ["findings", <Findings trace={trace} findings={FINDINGS} />],
  [
    "a report",
    <Profile
      trace={trace}
      rows={[{ context: NASTY, kind: "thread", address: null, ticks: 1, percent: 3 }]}
    />,
  ],
  [
    "the report on active objects",
    <ActiveObjects
      trace={trace}
      rows={[
        {
          name: NASTY,
          address: "0x2",
          posted: 3,
          steps: 3,
          guards_false: 0,
          deferred: 0,
          recalled: 0,
          busy_ticks: 9,
          busy_percent: 3,
          duration: DURATION,
          queueing: null,
          response: DURATION,
          endings: {
            processed: 3,
            unhandled: 0,
            guard_false: 0,
            no_branch: 0,
            failed: 0,
            lost: 0,
            unrecorded: 0,
            open: 0,
          },
          max_queued: { events: 2, event: 8 },
          queue: { name: NASTY, address: "0x3", capacity: 4, min_free: 2 },
        },
      ]}
    />,
  ],
  [
    "the report on signals",
    <Signals
      trace={trace}
      rows={[
        {
          object: NASTY,
          signal: NASTY,
          number: 4,
          sender: NASTY,
          posted: 1,
          front: 0,
          recalled: 0,
          taken: 1,
          queueing: DURATION,
          response: null,
          slowest: { ticks: 3, post_event: 1, first_event: 2, last_event: 3 },
        },
      ]}
    />,
  ],
  [
    "the report on states",
    <States
      trace={trace}
      machines={[
        {
          object: NASTY,
          address: "0x2",
          states: [STATE],
          unknown_ticks: 2,
          unknown_percent: null,
          active: [STATE, { ...STATE, address: "0x9" }],
        },
      ]}
    />,
  ],
  [
    "the report on transitions",
    <TransitionTable
      trace={trace}
      transitions={{
        taken: [
          {
            object: NASTY,
            source: NASTY,
            trigger: NASTY,
            target: null,
            settled: NASTY,
            initial: false,
            count: 2,
            first_event: 1,
            last_event: 2,
            actions: [{ role: "effect", function: NASTY, count: 2 }],
          },
        ],
        states_never_entered: [{ object: null, state: NASTY }],
        signals_never_received: [NASTY],
      }}
    />,
  ],
  [
    "the report on timers",
    <Timers
      trace={trace}
      rows={[
        {
          name: NASTY,
          address: "0x2",
          object: NASTY,
          signal: null,
          runs: 2,
          expired: 1,
          stopped: 1,
          restarted: 0,
          running: 0,
          lost: 0,
          nominal: [{ timer_ticks: 5, periodic: true, duration: DURATION }],
          jitter: null,
          delay: DURATION,
        },
      ]}
    />,
  ],
  [
    "the report on context switches",
    <ContextSwitches
      trace={trace}
      found={{
        idle: { ticks: 9, percent: 9, periods: 2, duration: DURATION },
        wake_ups: { to_thread: DURATION, spurious: null },
        interrupts_off: {
          count: 1,
          nested: 0,
          ticks: 3,
          percent: 3,
          duration: DURATION,
          unknown: { start_unknown: 0, switched: 1, unrecorded: 0, lost: 0, open: 0 },
          longest: [
            {
              context: NASTY,
              handler: NASTY,
              core: 0,
              start_ticks: 1,
              ticks: 3,
              complete: false,
              beginning: "disabled",
              ending: "switched",
              nested: 0,
              first_event: 1,
              last_event: 2,
              enabled_at: null,
              disabled_at: { address: "0x10", function: NASTY, file: NASTY, line: 7, text: NASTY },
            },
          ],
        },
        kernel: { ticks: 1, percent: 1 },
        dispatches: 4,
        context_switches: 3,
        dispatches_per_second: null,
        handlers: [
          {
            name: NASTY,
            address: "0x20",
            activations: 1,
            nested: 0,
            ticks: 2,
            percent: 2,
            max_ticks: 2,
            max_event: 4,
          },
        ],
        resumes: { [NASTY]: 4 },
        gaps: 1,
        unknown: { ticks: 0, percent: null },
        threads: [
          { name: NASTY, address: "0x30", dispatches: 4, resumes: 4, ticks: 8, percent: null },
        ],
      }}
    />,
  ],
  ["filter errors", <SearchPanel trace={trace} />],
  ["trace information", <TraceInfoPanel trace={trace} />],
  ["the health banner", <HealthBanner trace={trace} />],
])("%s", async (_, children) => {
  const { textContent } = await shown(children);
  expect(textContent).toContain(NASTY);
  expect(place.querySelector("img, script, b > *")).toBeNull();
});

it("tabs and palette matches", async () => {
  traces.value = [trace];
  activeId.value = trace.id;
  openDialog.value = "palette";
  const content = (
    <>
      <TraceTabs />
      <Dialogs />
    </>
  );
  await shown(content);
  const input = place.querySelector("input");
  if (input) input.value = "onerror";
  input?.dispatchEvent(new Event("input", { bubbles: true }));
  const { textContent } = await shown(content);
  expect(textContent?.split(NASTY).length).toBeGreaterThan(3);
  expect(place.querySelector("img, script")).toBeNull();
});
