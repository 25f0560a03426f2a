import { afterEach, expect, it } from "vitest";
import { fakeTrace } from "../panels/fixture";
import { settings } from "../state/settings";
import { activeId, traces } from "../state/viewer";
import { restoreLocation } from "./address";
import { decodeLocation } from "./view-location";

afterEach(() => {
  traces.value = [];
  activeId.value = null;
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
