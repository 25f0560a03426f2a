/** Access to the workers of a page without a server, as requests give it to a server. */

import type { Page } from "@playwright/test";
import type { Answer, Question } from "../../src/page/module";
import type { WorkerRequest } from "../../src/page/session.worker";

declare global {
  interface Window {
    /** Number of requests that workers have not answered; absent on a page with a server. */
    openRequests?: number;
    /** Asks the worker of the first recording; the page does not see the answer. */
    askSession?(question: Question, text: string): Promise<Answer>;
  }
}

/** Counts the requests to the workers of a page, from its next load on. */
export async function watchWorkers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Native = window.Worker;
    const workers: SessionWorker[] = [];
    const count = (change: number) => {
      window.openRequests = (window.openRequests ?? 0) + change;
    };
    class SessionWorker extends Native {
      /** What takes the next answers: a worker answers in the order of the requests. */
      private readonly takers: (((answer: Answer) => void) | null)[] = [];

      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        this.addEventListener("message", (event: MessageEvent<unknown>) => {
          const reply = event.data as { answer?: Answer } | null;
          if (typeof reply !== "object" || reply?.answer === undefined) return;
          count(-1);
          const take = this.takers.shift();
          if (!take) return;
          event.stopImmediatePropagation();
          take(reply.answer);
        });
      }

      override postMessage(message: unknown): void {
        const request = message as Partial<WorkerRequest & { module: unknown; question: unknown }>;
        if (request?.module !== undefined) workers.push(this);
        if (request?.module !== undefined || request?.question !== undefined) this.expect(null);
        super.postMessage(message);
      }

      override terminate(): void {
        count(-this.takers.length);
        workers.splice(workers.indexOf(this), 1);
        super.terminate();
      }

      ask(question: Question, text: string): Promise<Answer> {
        return new Promise((resolve) => {
          this.expect(resolve);
          super.postMessage({ question, text } satisfies WorkerRequest);
        });
      }

      private expect(take: ((answer: Answer) => void) | null): void {
        count(1);
        this.takers.push(take);
      }
    }
    window.Worker = SessionWorker;
    window.openRequests = 0;
    window.askSession = async (question, text) => {
      const [first] = workers;
      if (first === undefined) throw new Error("no recording is open");
      return first.ask(question, text);
    };
  });
}

/** The body of the answer of the first recording. */
export async function askSession(page: Page, question: Question, asked = ""): Promise<Buffer> {
  const { status, text } = await page.evaluate(
    async ([question, asked]) => {
      const answer = await window.askSession?.(question, asked);
      const bytes = new Uint8Array(answer?.body ?? new ArrayBuffer());
      return {
        status: answer?.status,
        text: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")),
      };
    },
    [question, asked] as const,
  );
  const body = Buffer.from(text, "base64");
  if (status !== 200) throw new Error(body.toString());
  return body;
}
