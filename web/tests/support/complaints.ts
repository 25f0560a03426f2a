/** Errors reported by the page and the browser. */

import type { Page } from "@playwright/test";

/** Errors of a page. A test fails if there are any that it did not expect. */
export class Complaints {
  private readonly messages: string[] = [];
  private readonly expected: RegExp[] = [];

  constructor(page: Page) {
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        this.messages.push(`console: ${message.text()} (${message.location().url})`);
      }
    });
    page.on("pageerror", (error) => this.messages.push(`error: ${error.stack ?? error.message}`));
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // Obsolete queries are aborted; a reload aborts all.
      if (reason !== "net::ERR_ABORTED") this.messages.push(`request: ${request.url()}: ${reason}`);
    });
    page.on("dialog", (dialog) => {
      this.messages.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  /** Declares errors that the test expects. */
  expect(pattern: RegExp): void {
    this.expected.push(pattern);
  }

  /** Errors that were not expected. */
  get unexpected(): string[] {
    return this.messages.filter((text) => !this.expected.some((pattern) => pattern.test(text)));
  }
}

/** The browser's message about a query that the server rejected. */
export const REFUSED = /status of 4\d\d/;
