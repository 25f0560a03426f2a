/** Names from traces are shown as text, whatever they contain. */

import { render, type ComponentChildren } from "preact";
import { afterEach, expect, it } from "vitest";
import { Dialogs } from "../shell/dialogs/Dialogs";
import { openDialog } from "../shell/dialogs/open";
import { HealthBanner } from "../shell/HealthBanner";
import { TraceTabs } from "../shell/TraceTabs";
import { activeId, traces } from "../state/viewer";
import { BookmarksPanel } from "./bookmarks/BookmarksPanel";
import { DetailsPanel } from "./details/DetailsPanel";
import { PinnedCards } from "./details/PinnedCards";
import { EventRow } from "./events/EventRow";
import { fakeTrace, NASTY } from "./fixture";
import { LegendPanel } from "./legend/LegendPanel";
import { ModeBar } from "./navigation/ModeBar";
import { ObjectsPanel } from "./objects/ObjectsPanel";
import { Findings } from "./reports/views/Findings";
import { Profile } from "./reports/views/Profile";
import { SearchPanel } from "./search/SearchPanel";
import { TraceInfoPanel } from "./trace-info/TraceInfoPanel";

const DETAILS = {
  event: 5, time: 10, time_text: NASTY, stamp: NASTY, core: 0, context: 1, priority: 4, threshold: 4,
  interrupted: 1, kind: 7, name: NASTY, symbol: NASTY, component: NASTY,
  arguments: [{ name: NASTY, text: NASTY, raw: NASTY, object: 0 }],
  next: NASTY, next_context: 1, since_previous: 1, until_next: 2,
  links: [{ cause: true, text: NASTY, event: 4, time: 9 }],
};
const FINDINGS = [{ weight: "critical" as const, subject: "loss", message: NASTY, event: 1 }];
const ROW = { event: 5, time: 10, core: 0, context: 1, kind: 7, name: NASTY, arguments: NASTY };

const trace = fakeTrace({
  event: DETAILS,
  report: { schema: "rtoscope/report/1", findings: FINDINGS },
});
trace.selected.value = { event: 5, time: 10, context: 1, kind: 7 };
trace.pinned.value = [5];
trace.bookmarks.value = [{ event: 5, note: NASTY }];
trace.searched.value = { search: { filter: NASTY }, total: 0, error: NASTY };

const place = document.createElement("div");
document.body.append(place);
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) { this.open = true; };

afterEach(() => {
  render(null, place);
  openDialog.value = null;
  traces.value = [];
  activeId.value = null;
});

async function shown(children: ComponentChildren): Promise<HTMLElement> {
  render(<>{children}</>, place);
  for (let turn = 0; turn < 4; turn += 1) await new Promise((done) => setTimeout(done, 5));
  return place;
}

it.each([
  ["the details", <DetailsPanel trace={trace} />],
  ["pinned details", <PinnedCards trace={trace} />],
  ["bookmarks", <BookmarksPanel trace={trace} />],
  ["the legend", <LegendPanel trace={trace} />],
  ["objects", <ObjectsPanel trace={trace} />],
  ["what next goes by", <ModeBar trace={trace} />],
  ["a row of events", <EventRow trace={trace} row={ROW} before={null} number={0} id="row" top={0}
    isSelected={false} choose={() => {}} />],
  ["findings", <Findings trace={trace} findings={FINDINGS} />],
  ["a report", <Profile trace={trace} rows={[
    { context: NASTY, kind: "thread", address: null, ticks: 1, percent: 3 }]} />],
  ["the error of a filter", <SearchPanel trace={trace} />],
  ["the trace", <TraceInfoPanel trace={trace} />],
  ["the banner", <HealthBanner trace={trace} />],
])("%s", async (_, children) => {
  const { textContent } = await shown(children);
  expect(textContent).toContain(NASTY);
  expect(place.querySelector("img, script, b > *")).toBeNull();
});

it("tabs and what the palette finds", async () => {
  traces.value = [trace];
  activeId.value = trace.id;
  openDialog.value = "palette";
  const content = <><TraceTabs /><Dialogs /></>;
  await shown(content);
  const input = place.querySelector("input");
  if (input) input.value = "onerror";
  input?.dispatchEvent(new Event("input", { bubbles: true }));
  const { textContent } = await shown(content);
  expect(textContent?.split(NASTY).length).toBeGreaterThan(3);
  expect(place.querySelector("img, script")).toBeNull();
});
