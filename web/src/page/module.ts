/** The WebAssembly module of crates/web, which holds one recording. */

import type { OpeningProgress } from "../session/wire";

/** See crates/web/src/exports.rs. */
interface Exports {
  memory: WebAssembly.Memory;
  input(length: number): number;
  name_file(): void;
  add_file(): void;
  open_recording(): number;
  answer_query(): number;
  apply_command(): number;
  put_notes(): number;
  read_notes(): number;
  reply_at(): number;
  reply_length(): number;
}

/** A function that takes the input and answers. */
export type Question =
  | "open_recording"
  | "answer_query"
  | "apply_command"
  | "put_notes"
  | "read_notes";

export interface Answer {
  /** As in HTTP. */
  status: number;
  body: ArrayBuffer;
}

/** The browser gives the page no more memory. */
export class OutOfMemory extends Error {
  constructor() {
    super("out of memory");
  }
}

/** Interval between reports of progress in milliseconds. */
const PROGRESS_INTERVAL = 100;

export class SessionModule {
  private constructor(private readonly exports: Exports) {}

  static async start(
    module: WebAssembly.Module,
    show: (progress: OpeningProgress) => void,
  ): Promise<SessionModule> {
    let last = performance.now();
    const text = (at: number, length: number) =>
      new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, length));
    const page = {
      is_progress_due() {
        const isDue = performance.now() - last > PROGRESS_INTERVAL;
        if (isDue) last = performance.now();
        return Number(isDue);
      },
      take_progress: (at: number, length: number) =>
        show(JSON.parse(text(at >>> 0, length >>> 0)) as OpeningProgress),
      take_panic(at: number, length: number) {
        throw new Error(text(at >>> 0, length >>> 0));
      },
    };
    const instance = await WebAssembly.instantiate(module, { page });
    const exports = instance.exports as unknown as Exports;
    return new SessionModule(exports);
  }

  /** Gives a file without a second copy of it. */
  async addFile(name: string, content: Blob): Promise<void> {
    this.put(new TextEncoder().encode(name));
    this.exports.name_file();
    let at = this.room(content.size);
    const reader = content.stream().getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      new Uint8Array(this.exports.memory.buffer).set(value, at);
      at += value.length;
    }
    this.exports.add_file();
  }

  ask(question: Question, text: string): Answer {
    try {
      this.put(new TextEncoder().encode(text));
      const status = this.exports[question]();
      const at = this.exports.reply_at() >>> 0;
      const length = this.exports.reply_length() >>> 0;
      return { status, body: this.exports.memory.buffer.slice(at, at + length) };
    } catch (error) {
      // The module stops without a message if it gets no more memory.
      throw error instanceof WebAssembly.RuntimeError ? new OutOfMemory() : error;
    }
  }

  private put(bytes: Uint8Array): void {
    const at = this.room(bytes.length);
    new Uint8Array(this.exports.memory.buffer).set(bytes, at);
  }

  private room(length: number): number {
    const at = this.exports.input(length) >>> 0;
    if (at === 0) throw new OutOfMemory();
    return at;
  }
}
