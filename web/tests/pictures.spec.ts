/** Exporting the view: PNG, SVG, paper. TraceX: "no picture, no print, no copy". */

import { SMP, SYSTEM } from "./support/traces";
import { expect, test } from "./support/viewer";

test("the view is saved as PNG and as SVG", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("the view is saved as PNG", async () => {
    const { name, bytes } = await viewer.saved(() => viewer.press("Shift+p"));
    expect(name).toBe("cm3_system.png");
    expect([...bytes.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const { width, height } = await viewer.timeline.box();
    // Twice the resolution of the page, with the lane names.
    expect(bytes.readUInt32BE(16)).toBeGreaterThan(width * 2 + 200);
    expect(bytes.readUInt32BE(20)).toBeGreaterThanOrEqual(Math.floor(height) * 2);
    const colours = await viewer.page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context?.drawImage(image, 0, 0);
      const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? [];
      const seen = new Set<number>();
      for (let at = 0; at < pixels.length; at += 4) {
        seen.add(((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0));
      }
      return seen.size;
    }, bytes.toString("base64"));
    expect(colours).toBeGreaterThan(50);
  });
  await test.step("the view is saved as well-formed SVG that matches the page", async () => {
    const { name, text: saved } = await viewer.saved(() => viewer.press("Shift+v"));
    expect(name).toBe("cm3_system.svg");
    const { root, error, texts, scripts, images, shapes } = await viewer.page.evaluate((text) => {
      const document = new DOMParser().parseFromString(text, "image/svg+xml");
      return {
        root: document.documentElement.localName,
        error: document.querySelector("parsererror")?.textContent ?? "",
        texts: [...document.querySelectorAll("text")].map((element) => element.textContent ?? ""),
        scripts: document.querySelectorAll("script, foreignObject").length,
        images: [...document.querySelectorAll("image")].map(
          (image) => image.getAttribute("href") ?? "",
        ),
        shapes: document.querySelectorAll("rect, path").length,
      };
    }, saved);
    expect(error).toBe("");
    expect(root).toBe("svg");
    expect(scripts).toBe(0);
    // Embedded pixels of dense lanes, but nothing external.
    for (const image of images) expect(image.slice(0, 22)).toBe("data:image/png;base64,");
    expect(shapes).toBeGreaterThan(20);
    for (const lane of await viewer.timeline.rowNames()) {
      expect(
        texts.some((text) => lane.startsWith(text.replace("…", "")) && text.length > 1),
        lane,
      ).toBe(true);
    }
  });
});

test("all lanes are saved, also those scrolled out of view", async ({ open }) => {
  const viewer = await open(SMP);
  const { page } = viewer;
  await viewer.resize(900, 420);
  const textsOf = async (title: string) => {
    const svg = await viewer.saved(() => viewer.command(title));
    return page.evaluate((text) => {
      const document = new DOMParser().parseFromString(text, "image/svg+xml");
      return [...document.querySelectorAll("text")].map((element) => element.textContent);
    }, svg.text);
  };
  const last = "stopper";
  expect(await textsOf("Save the view as SVG")).not.toContain(last);
  const texts = await textsOf("Save all lanes as SVG");
  expect(texts).toContain("Summary");
  expect(texts).toContain(last);
  const { bytes: png } = await viewer.saved(() => viewer.command("Save all lanes as PNG"));
  const { height } = await viewer.timeline.box();
  expect(png.readUInt32BE(20)).toBeGreaterThan(height * 2 + 200);
});

test("paper shows the whole timeline on one light page", async ({ open }) => {
  const viewer = await open(SYSTEM);
  await test.step("paper shows the timeline without controls", async () => {
    const { page } = viewer;
    await viewer.select(1357);
    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("toolbar", { name: "Commands" })).toBeHidden();
    await expect(page.getByRole("separator").first()).toBeHidden();
    await expect(page.getByPlaceholder("Filter lanes")).toBeHidden();
    await expect(viewer.timeline.host).toBeVisible();
    await viewer.timeline.settled();
    expect((await viewer.timeline.picture()).colours).toBeGreaterThan(20);
    await expect(page.getByRole("tabpanel", { name: "Details" })).toContainText("Priority");
    const paper = await page.pdf({ width: "297mm", height: "210mm", printBackground: true });
    expect(paper.subarray(0, 5).toString()).toBe("%PDF-");
    expect(paper.length).toBeGreaterThan(20_000);
  });
  await test.step("the whole timeline fits one page of paper, without empty panels", async () => {
    await viewer.reset();
    const { page } = viewer;
    const screen = await viewer.timeline.box();
    // Browsers do this before printing, by menu as well.
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("tabpanel", { name: "Details" })).toBeHidden();
    const zoom = await page.evaluate(() =>
      Number(document.documentElement.style.getPropertyValue("--paper-zoom")),
    );
    const paper = await viewer.timeline.box();
    // Scaled, but as wide as on screen: nothing is cut off.
    expect(Math.abs(paper.width - screen.width * zoom)).toBeLessThan(2);
    expect(paper.x + paper.width).toBeLessThanOrEqual(980);
    const status = await page.getByRole("contentinfo", { name: "Status" }).boundingBox();
    expect((status?.y ?? 0) + (status?.height ?? 0)).toBeLessThanOrEqual(715);
    await page.emulateMedia({ media: null });
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    const pdf = await page.pdf({
      format: "A4",
      landscape: true,
      printBackground: true,
      preferCSSPageSize: true,
    });
    expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });
  await test.step("paper is light in the dark theme, too", async () => {
    await viewer.reset();
    const { page } = viewer;
    const html = page.locator("html");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(html).toHaveAttribute("data-theme", "dark");
    await viewer.timeline.settled();
    const dark = (await viewer.timeline.picture()).property("--lane-background");
    await page.evaluate(() => {
      window.print = () => {
        document.body.dataset.printed = "yes";
      };
    });
    await viewer.press("p");
    await expect(page.locator("body")).toHaveAttribute("data-printed", "yes");
    await expect(html).toHaveAttribute("data-theme", "light");
    // By then the lanes are drawn in the colours of paper.
    const picture = await viewer.timeline.picture();
    expect(picture.property("--lane-background")).not.toEqual(dark);
    expect(picture.columnsOf("--lane-background").length).toBeGreaterThan(picture.width / 2);
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await expect(html).toHaveAttribute("data-theme", "dark");
  });
});
