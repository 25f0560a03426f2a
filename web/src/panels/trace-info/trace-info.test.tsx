// @vitest-environment jsdom

import { render } from "preact";
import { afterEach, expect, it } from "vitest";
import { FORMATS } from "../../session/wire";
import { StartPage } from "../../shell/StartPage";
import { fakeTrace } from "../fixture";
import { TraceInfoPanel } from "./TraceInfoPanel";

const place = document.createElement("div");

afterEach(() => render(null, place));

it("shows what the session states about the format", () => {
  const trace = fakeTrace(
    {},
    {
      format_description: "a log, 4-byte pointers",
      facts: [{ label: "names", value: "2 of 3 threads" }],
    },
  );
  render(<TraceInfoPanel trace={trace} />, place);
  const facts = [...place.querySelectorAll("dl.facts dt")].map((title) => [
    title.textContent,
    title.nextElementSibling?.textContent,
  ]);
  expect(facts).toContainEqual(["Format", "a log, 4-byte pointers"]);
  expect(facts).toContainEqual(["Names", "2 of 3 threads"]);
});

it("names every format on the start page", () => {
  render(<StartPage />, place);
  expect(FORMATS.length).toBeGreaterThan(2);
  for (const format of FORMATS) expect(place.textContent).toContain(format);
});
