/** A browser with the settings of a user, or without any. */

import { test as base } from "@playwright/test";

interface Options {
  /** Whether the browser has no settings. Otherwise the details and the events are kept open. */
  isFirstVisit: boolean;
}

export const test = base.extend<Options>({
  isFirstVisit: [false, { option: true }],
  page: async ({ page, isFirstVisit }, use) => {
    if (!isFirstVisit) {
      await page.addInitScript(() => {
        // A blank page has no storage.
        if (!location.protocol.startsWith("http")) return;
        for (const [panel, name] of Object.entries({ side: "details", bottom: "events" })) {
          const key = `rtoscope.${panel}Panel`;
          if (localStorage.getItem(key) === null) localStorage.setItem(key, JSON.stringify(name));
        }
      });
    }
    await use(page);
  },
});
