/** A recording in a worker, as the page sees it. */

import type { OpeningProgress, Overview } from "../session/wire";
import { fingerprintOf } from "../state/fingerprint";
import type { Answer, Question } from "./module";
import type { OpenMessage, WorkerReply, WorkerRequest } from "./session.worker";
import SessionWorker from "./session.worker?worker";
import { keepNotes, keptNotes } from "./stored-notes";

export class OpenRecording {
  /** Progress of opening it; `null` once it is open. */
  progress: OpeningProgress | null = {
    phase: "reading",
    done: 0,
    total: null,
    events: null,
    density: null,
  };
  private readonly worker = new SessionWorker();
  /** The worker answers one question after the other. */
  private last: Promise<unknown> = Promise.resolve();
  private take: ((answer: Answer) => void) | null = null;
  private fingerprint = "";
  /** Settles when it is open, with the answer of the worker if it is not. */
  readonly opened: Promise<Answer | null>;

  constructor(
    readonly id: number,
    readonly name: string,
    /** Address from which it was loaded. */
    readonly address: string | undefined,
    message: Promise<OpenMessage>,
    /** Keeps the text of a notes file; without it, the browser does. */
    private readonly keep?: (text: string) => void,
  ) {
    this.worker.addEventListener("message", ({ data }: MessageEvent<WorkerReply>) => {
      if ("progress" in data) this.progress = data.progress;
      else this.take?.(data.answer);
    });
    this.opened = this.open(message);
  }

  /** Answers a question; one that is no longer wanted when its turn comes is not asked. */
  async ask(question: Question, text: string, signal?: AbortSignal | null): Promise<Response> {
    const refused = await this.opened;
    if (refused !== null) return responseOf(refused);
    const asked = this.inTurn({ question, text }, signal);
    const answer = await (signal ? Promise.race([asked, aborted(signal)]) : asked);
    if (question === "apply_command" && answer.status === 200) {
      const keep = this.keep ?? ((text) => keepNotes(this.fingerprint, text));
      keep(new TextDecoder().decode(answer.body));
    }
    return responseOf(answer);
  }

  close(): void {
    this.worker.terminate();
  }

  private async open(message: Promise<OpenMessage>): Promise<Answer | null> {
    try {
      const opened = await this.inTurn(await message);
      if (opened.status !== 200) return opened;
      if (this.keep !== undefined) return null;
      const overview = await this.inTurn({ question: "answer_query", text: OVERVIEW });
      this.fingerprint = fingerprintOf(
        JSON.parse(new TextDecoder().decode(overview.body)) as Overview,
      );
      const kept = keptNotes(this.fingerprint);
      if (kept !== null) await this.inTurn({ question: "put_notes", text: kept });
      return null;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const body = new TextEncoder().encode(JSON.stringify({ error: `${this.name}: ${text}` }));
      return { status: 422, body: body.buffer };
    } finally {
      this.progress = null;
    }
  }

  private inTurn(request: WorkerRequest, signal?: AbortSignal | null): Promise<Answer> {
    const turn = this.last.then(() => {
      signal?.throwIfAborted();
      return new Promise<Answer>((resolve) => {
        this.take = resolve;
        this.worker.postMessage(request);
      });
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

const OVERVIEW = JSON.stringify({ query: "overview" });

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });

/** The body of an answer can be read again. */
const responseOf = ({ status, body }: Answer) => new Response(body, { status });
