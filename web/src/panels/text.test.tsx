// @vitest-environment jsdom

/** Names from traces are always shown as text. */

import { type ComponentChildren, render } from "preact";
import { afterEach, expect, it } from "vitest";
import type { CellKind, CellOf, DescribedTable, Finding } from "../session/reports";
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
import { Findings } from "./reports/views/Findings";
import { ReportTable } from "./reports/views/ReportTable";
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
const CELLS: CellOf = {
  text: NASTY,
  thread: NASTY,
  link: { text: NASTY, target: "event-kind", id: 3 },
  count: 3,
  decimal: 1.5,
  duration: 9,
  interval: { start_ticks: 1, end_ticks: 3, event: 2 },
  shares: [[NASTY, 9]],
  percent: 12,
  event: { event: 7 },
  flag: true,
  distribution: DURATION,
};
const KINDS = Object.keys(CELLS) as CellKind[];
const TABLE: DescribedTable = {
  path: "nasty",
  title: NASTY,
  of: NASTY,
  note: NASTY,
  empty: "",
  rank: "count",
  is_figures: false,
  columns: KINDS.map((kind) => ({
    key: kind,
    label: NASTY,
    kind,
    unit: NASTY,
    hint: NASTY,
    missing: "",
    warns: [10, 20],
  })),
  rows: [KINDS.map((kind) => CELLS[kind])],
};

const trace = fakeTrace({
  event: DETAILS,
  report: { schema: "rtoscope/report/1", findings: FINDINGS },
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
  ["a table of a report", <ReportTable trace={trace} table={TABLE} />],
  ["a list of figures", <ReportTable trace={trace} table={{ ...TABLE, is_figures: true }} />],
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
