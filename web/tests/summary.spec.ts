/** The first screen: what was recorded, how long, how loaded, who used the CPU, what is wrong. */

import { SMP, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test.use({ isFirstVisit: true });

const WHOLE = {
  start: null,
  end: null,
  threads: null,
  core: null,
  context: null,
  anchor: null,
  tables: false,
};

test("a summary has the figures of the reports", async ({ page, open }) => {
  for (const source of [SYSTEM, SMP]) {
    const viewer = await open(source);
    const summary = page.getByRole("region", { name: "Summary of the trace" });
    const overview = await viewer.overview();
    const { profile, findings } = (await viewer.query({
      query: "report",
      kinds: ["profile"],
      ...WHOLE,
    })) as unknown as {
      profile: { context: string; kind: string; ticks: number; percent: number }[];
      findings: { message: string }[];
    };
    await expect(summary).toContainText(overview.format_description);
    const panel = page.getByRole("tabpanel", { name: "Trace", exact: true });
    for (const { label } of overview.facts)
      await expect(panel).toContainText(new RegExp(label, "i"));
    const figure = (term: string) =>
      summary.getByRole("term").filter({ hasText: term }).locator("+ dd");
    await expect(figure("Events")).toHaveText(
      overview.events.toString().replace(/\B(?=(\d{3})+$)/g, "\u202f"),
    );
    const busy = profile.filter(({ kind }) => kind !== "idle" && kind !== "unknown");
    const load = busy.reduce((sum, { percent }) => sum + percent, 0);
    await expect(figure("CPU load")).toContainText(`${load.toFixed(1)} %`);
    const users = page.getByRole("list", { name: "CPU time" }).getByRole("listitem");
    const [first] = busy.toSorted((one, other) => other.ticks - one.ticks);
    await expect(users.first()).toContainText(first?.context ?? "");
    await expect(users.first()).toContainText(`${first?.percent.toFixed(1)} %`);
    await expect(page.getByRole("list", { name: "Findings" }).getByRole("listitem")).toHaveCount(
      findings.length,
    );
  }
});

test("a finding zooms to its interval", async ({ page, open }) => {
  const viewer = await open(SYSTEM);
  const { inversions } = (await viewer.query({
    query: "report",
    kinds: ["inversions"],
    ...WHOLE,
  })) as unknown as {
    inversions: { start_ticks: number; end_ticks: number; first_event: number; severity: string }[];
  };
  const worst = inversions.find(({ first_event }) => first_event === 1357);
  if (!worst) throw new Error("the inversion is missing");
  const expectZoomed = async () => {
    const { from, to, length } = await viewer.timeline.part();
    expect(from).toBeLessThanOrEqual(worst.start_ticks);
    expect(to).toBeGreaterThanOrEqual(worst.end_ticks);
    expect(worst.end_ticks - worst.start_ticks).toBeGreaterThan(length / 2);
  };
  const findings = page.getByRole("list", { name: "Findings" });
  await viewer.whileMoving(() =>
    findings.getByRole("button", { name: "event 1\u202f357" }).click(),
  );
  await viewer.expectSelected(1357);
  await expectZoomed();
  // The list stays, and the banner's link does the same.
  await expect(findings).toBeVisible();
  await viewer.press("i");
  await viewer.whileMoving(() => viewer.press("0"));
  const banner = page.getByRole("complementary", { name: "Trace health" });
  await viewer.whileMoving(() => banner.getByRole("button", { name: /^event/ }).click());
  await expectZoomed();
});
