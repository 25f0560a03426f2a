// @vitest-environment jsdom

import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeTrace } from "../panels/fixture";
import { activeId, traces } from "../state/viewer";
import { command, commands, press } from "./commands";
import { displayKeys, keyName } from "./key-names";

const pressed = (key: string, changes: Partial<KeyboardEventInit> = {}) =>
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...changes });

function open() {
  const trace = fakeTrace();
  traces.value = [trace];
  activeId.value = trace.id;
  return trace;
}

afterEach(() => {
  traces.value = [];
  activeId.value = null;
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

describe("commands", () => {
  it("have unique keys, ids and titles", () => {
    for (const all of [
      commands.flatMap(({ keys }) => keys),
      commands.map(({ id }) => id),
      commands.map(({ title }) => title),
    ]) {
      expect(new Set(all).size).toBe(all.length);
    }
  });

  it("have keys that a keyboard can send", () => {
    for (const key of commands.flatMap(({ keys }) => keys)) {
      const parts = key.split(/\+(?=.)/);
      const last = parts.at(-1) ?? "";
      const event = pressed(last, {
        ctrlKey: parts.includes("Ctrl"),
        shiftKey: parts.includes("Shift"),
      });
      expect(keyName(event)).toBe(key);
    }
  });

  it("ignore typing", () => {
    const trace = open();
    const before = trace.window.value;
    const input = document.createElement("input");
    document.body.append(input);
    for (const key of ["w", "ArrowLeft", "0", "Enter"]) {
      const event = pressed(key);
      input.addEventListener("keydown", press, { once: true });
      input.dispatchEvent(event);
      expect(event.defaultPrevented).toBe(false);
    }
    expect(trace.window.value).toEqual(before);
  });

  it("leave Enter to buttons", () => {
    const trace = open();
    trace.selected.value = { event: 5, time: 5, context: 1, kind: 7 };
    const button = document.createElement("button");
    document.body.append(button);
    button.addEventListener("keydown", press);
    button.dispatchEvent(pressed("Enter"));
    expect(trace.pinned.value).toEqual([]);
    document.body.addEventListener("keydown", press, { once: true });
    document.body.dispatchEvent(pressed("Enter"));
    expect(trace.pinned.value).toEqual([5]);
  });

  it("do nothing while they are disabled", () => {
    const run = vi.spyOn(command("marker-a"), "run");
    press(pressed("m"));
    open();
    press(pressed("m"));
    expect(run).not.toHaveBeenCalled();
  });

  it("dismiss items one after the other", () => {
    const trace = open();
    trace.range.value = { axis: "time", start: 1, end: 2 };
    trace.pinned.value = [1, 2];
    trace.selected.value = { event: 2, time: 5, context: 1, kind: 7 };
    trace.searchResult.value = { search: { filter: "core == 0" }, total: 1, error: null };
    trace.stepMode.value = { mode: "search", search: { filter: "core == 0" } };
    const left = () => [
      trace.range.value !== null,
      trace.pinned.value.length,
      trace.selected.value !== null,
      trace.searchResult.value !== null,
    ];
    const seen = Array.from({ length: 5 }, () => {
      press(pressed("Escape"));
      return left();
    });
    expect(seen).toEqual([
      [false, 2, true, true],
      [false, 1, true, true],
      [false, 0, true, true],
      [false, 0, false, true],
      [false, 0, false, false],
    ]);
    expect(trace.stepMode.value).toEqual({ mode: "event" });
  });
});

describe("keys", () => {
  it("are named independently of the keyboard layout", () => {
    expect(keyName(pressed("?", { shiftKey: true }))).toBe("?");
    expect(keyName(pressed("/"))).toBe("/");
    expect(keyName(pressed("N", { shiftKey: true }))).toBe("Shift+N");
    expect(keyName(pressed("n"))).toBe("N");
    expect(keyName(pressed("k", { metaKey: true }))).toBe("Ctrl+K");
    expect(keyName(pressed("ArrowUp", { shiftKey: true }))).toBe("Shift+ArrowUp");
  });

  it("are shown as on the keyboard", () => {
    expect(displayKeys("Ctrl+Shift+P")).toEqual(["Ctrl", "Shift", "P"]);
    expect(displayKeys("+")).toEqual(["+"]);
    expect(displayKeys("ArrowLeft")).toEqual(["←"]);
  });
});
