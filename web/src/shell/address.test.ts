import { afterEach, expect, it } from "vitest";
import { fakeTrace } from "../panels/fixture";
import { settings } from "../state/settings";
import { activeId, traces } from "../state/viewer";
import { locationOf, restoreLocation } from "./address";
import { decodeLocation, encodeLocation } from "./view-location";

afterEach(() => {
  traces.value = [];
  activeId.value = null;
});

it("restores the same location", async () => {
  const place = { event: 40, time: 2000, context: 1, kind: 7 };
  const trace = fakeTrace({ locate: place, search: { total: 3, counts: [] } });
  traces.value = [trace];
  activeId.value = trace.id;
  trace.show(1000, 9000);
  trace.selectLocated(place);
  trace.markers.a.value = { time: 100, event: 2 };
  trace.pinned.value = [5, 6];
  trace.searchResult.value = { search: { filter: "core == 0" }, total: 3, error: null };
  settings.sidePanel.value = "legend";
  const text = encodeLocation(locationOf(trace));
  expect(decodeLocation(text)).toMatchObject({ from: 1000, to: 9000 });

  const other = fakeTrace({ locate: place, search: { total: 3, counts: [] } });
  traces.value = [other];
  activeId.value = null;
  settings.sidePanel.value = "";
  void restoreLocation(decodeLocation(text));
  await new Promise((done) => setTimeout(done));
  expect(activeId.value).toBe(other.id);
  expect(encodeLocation(locationOf(other))).toBe(text);
  expect(settings.sidePanel.value).toBe("legend");
});

it("finds a trace by name if the tabs differ, and ignores events that do not exist", () => {
  const [one, other] = [fakeTrace({}, { name: "one" }), fakeTrace({}, { name: "other" })];
  Object.assign(other, { id: 2 });
  traces.value = [one, other];
  void restoreLocation(
    decodeLocation("#trace=0&name=other&event=1000&a=5.1000&pinned=3.1000&side=nonsense"),
  );
  expect(activeId.value).toBe(2);
  expect(other.selected.value).toBeNull();
  expect(other.markers.a.value).toBeNull();
  expect(other.pinned.value).toEqual([3]);
  expect(settings.sidePanel.value).not.toBe("nonsense");
  void restoreLocation(decodeLocation("#trace=7&name=gone"));
  expect(activeId.value).toBe(2);
});
