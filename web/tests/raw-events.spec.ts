/** Events as recorded: the file of the page is what the command line writes. */

import { execFileSync } from "node:child_process";
import { program } from "./support/server";
import { ACTIVE, SMP, SYSTEM } from "./support/traces";
import { expect, test, type Viewer } from "./support/viewer";

async function saved(viewer: Viewer): Promise<string> {
  const file = await viewer.saved(() => viewer.command("Save the visible events as recorded"));
  expect(file.name).toMatch(/-raw\.csv$/);
  return file.text;
}

test("the file has the events of the command line, all or the visible ones", async ({ open }) => {
  for (const source of [SYSTEM, SMP, ACTIVE]) {
    await test.step(source.replace(/.*\//, ""), async () => {
      const viewer = await open(source);
      const text = await saved(viewer);
      const [columns = ""] = text.split("\n");
      const options = ["--format", "csv", "--columns", columns];
      expect(text).toBe(String(execFileSync(program(), ["events", viewer.file, ...options])));
    });
  }
  await test.step("the visible events", async () => {
    const viewer = await open(SYSTEM, { at: "trace=0&axis=index&from=100&to=120" });
    await viewer.timeline.rested();
    const numbers = (await saved(viewer))
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",")[0]);
    const whole = Array.from({ length: numbers.length }, (_, index) => String(100 + index));
    expect(numbers).toEqual(whole);
    expect(numbers.length).toBeGreaterThanOrEqual(20);
    expect(numbers.length).toBeLessThanOrEqual(21);
  });
});
