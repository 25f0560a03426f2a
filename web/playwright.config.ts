import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { serverOnly } from "./tests/support/server-only";
import type { BackendOptions } from "./tests/support/viewer";

/** Fixed fonts: images of text differ otherwise. */
const FONTS = fileURLToPath(new URL("tests/support/fonts.conf", import.meta.url));
const MINUTE = 60_000;
const MAX_WORKERS = 8;

export default defineConfig<object, BackendOptions>({
  testDir: "tests",
  outputDir: "test-results",
  snapshotPathTemplate: "{testDir}/../../docs/src/viewer/pictures/{arg}{ext}",
  updateSnapshots: process.env.RTOSCOPE_BLESS === "1" ? "all" : "none",
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  reporter: process.env.CI === undefined ? "line" : "list",
  // Limits for a busy machine: nothing is waited for longer than it takes.
  timeout: 3 * MINUTE,
  // A test waits for frames and answers more than half of its time.
  workers: Math.min(2 * availableParallelism(), MAX_WORKERS),
  expect: {
    timeout: MINUTE,
    toHaveScreenshot: { maxDiffPixelRatio: 0.01, animations: "disabled", caret: "hide" },
  },
  use: {
    browserName: "chromium",
    viewport: { width: 1400, height: 900 },
    deviceScaleFactor: 1,
    colorScheme: "light",
    locale: "en-GB",
    timezoneId: "UTC",
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      env: { ...process.env, FONTCONFIG_FILE: FONTS },
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--font-render-hinting=none",
        "--disable-lcd-text",
        "--force-color-profile=srgb",
      ],
    },
  },
  projects: [
    { name: "e2e", testMatch: "**/*.spec.ts" },
    { name: "vscode", testMatch: "vscode.ts" },
    {
      name: "page",
      testMatch: ["**/*.spec.ts", "page.ts"],
      grepInvert: serverOnly,
      use: { backend: "workers" },
    },
    { name: "firefox", testMatch: "firefox.ts" },
    { name: "bench", testMatch: "bench.ts", timeout: 15 * MINUTE, workers: 1 },
    { name: "live-bench", testMatch: "live-bench.ts", timeout: 60 * MINUTE, workers: 1 },
  ],
});
