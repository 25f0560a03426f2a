/** What the page and the browser complain about. */

import type { Page } from "@playwright/test";

/** Complaints of a page. A test fails if there are any that it did not expect. */
export class Complaints {
  private readonly heard: string[] = [];
  private readonly expected: RegExp[] = [];

  constructor(page: Page) {
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        this.heard.push(`console: ${message.text()} (${message.location().url})`);
      }
    });
    page.on("pageerror", (error) => this.heard.push(`error: ${error.stack ?? error.message}`));
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // A question that is no longer of interest is taken back; a reload takes back all.
      if (reason !== "net::ERR_ABORTED") this.heard.push(`request: ${request.url()}: ${reason}`);
    });
    page.on("dialog", (dialog) => {
      this.heard.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  /** Says that some complaints belong to the test. */
  expect(pattern: RegExp): void {
    this.expected.push(pattern);
  }

  /** Those that nobody expected. */
  get unexpected(): string[] {
    return this.heard.filter((text) => !this.expected.some((pattern) => pattern.test(text)));
  }
}

/** The browser's message about a question that the server refused. */
export const REFUSED = /status of 4\d\d/;
