/** Programs that tests start: their output by line, and their end, which is bounded. */

import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

/** Path of the program that writes synthetic recordings. */
export function generator(): string {
  return join(dirname(program()), "rtoscope-generate");
}

/** Path of the program; throws if it is not set. */
export function program(): string {
  const path = process.env.RTOSCOPE_BIN;
  if (!path) throw new Error("RTOSCOPE_BIN is not set: it names the rtoscope program to test");
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new Error(`RTOSCOPE_BIN=${path} is not an executable program`);
  }
  return path;
}

/** Time that a program has to write a line, in milliseconds, */
const WRITES_WITHIN = 60_000;
/** and to exit after a signal. */
const EXITS_WITHIN = 20_000;

/** Programs that have not exited. */
const running = new Set<ChildProcess>();
// A program must not outlive its tests, however they end.
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

type OutputStream = "stdout" | "stderr";

/** A running program. */
export class Program {
  /** Complete lines in the order in which they arrived. */
  private readonly lines: { stream: OutputStream; text: string }[] = [];
  /** Called after each line and at the end. */
  private readonly watchers = new Set<() => void>();
  private problem: Error | null = null;
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  /** Whether the program has exited and its output is read. */
  private isClosed = false;

  /** Starts the program under test. */
  constructor(
    private readonly parameters: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ) {
    this.child = spawn(program(), parameters, {
      env: { ...process.env, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(this.child);
    for (const stream of ["stdout", "stderr"] as const) {
      const source = this.child[stream];
      // Lines, since a chunk can end anywhere; each stream by itself, since their chunks alternate.
      if (source) createInterface(source).on("line", (text) => this.add({ stream, text }));
    }
    const close = () => {
      this.isClosed = true;
      this.notify();
    };
    this.child.once("close", close);
    this.exited = new Promise((resolve) => {
      const end = () => {
        running.delete(this.child);
        resolve();
      };
      this.child.once("exit", end);
      this.child.once("error", (error) => {
        this.problem = error;
        end();
        close();
      });
    });
  }

  /** Process id. */
  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new Error("the process has exited");
    return pid;
  }

  /** Exit code or signal; `null` while the program runs. */
  get exit(): number | string | null {
    return this.child.exitCode ?? this.child.signalCode ?? this.problem?.message ?? null;
  }

  /** Number of lines so far. */
  get length(): number {
    return this.lines.length;
  }

  /** What the program wrote on a stream. */
  output(stream: OutputStream): string {
    const lines = this.lines.filter((line) => line.stream === stream);
    return lines.map(({ text }) => `${text}\n`).join("");
  }

  /**
   * Waits for a line that matches, after a number of lines. Fails when the program exits, or takes
   * too long.
   */
  line(stream: OutputStream, pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer);
        this.watchers.delete(look);
      };
      const fail = (reason: string) => {
        finish();
        reject(new Error(`${reason} before a line ${pattern}\n${this.description()}`));
      };
      const look = () => {
        const found = this.lines
          .slice(from)
          .map((line) => (line.stream === stream ? pattern.exec(line.text) : null))
          .find((match) => match !== null);
        if (found) {
          finish();
          resolve(found);
        } else if (this.isClosed) fail(`exited with ${this.exit}`);
      };
      const timer = setTimeout(() => fail("took too long"), WRITES_WITHIN);
      this.watchers.add(look);
      look();
    });
  }

  /**
   * Ends the program with a signal, or by force if it does not exit in time; returns how it exited.
   */
  async end(signal: NodeJS.Signals): Promise<number | string | null> {
    if (this.exit === null) {
      this.child.kill(signal);
      const timer = setTimeout(() => this.child.kill("SIGKILL"), EXITS_WITHIN);
      await this.exited;
      clearTimeout(timer);
    }
    return this.exit;
  }

  /** The command, its output and its state, for messages about failures. */
  description(): string {
    const state = this.exit === null ? threadStates(this.pid) : `exited with ${this.exit}`;
    const output = this.lines.map(({ stream, text }) => `  ${stream}: ${text}`);
    return [`rtoscope ${this.parameters.join(" ")}`, ...output, state].join("\n");
  }

  private add(line: { stream: OutputStream; text: string }): void {
    this.lines.push(line);
    this.notify();
  }

  private notify(): void {
    for (const look of [...this.watchers]) look();
  }
}

/** Names of the threads of a process, and where they wait in the kernel. */
function threadStates(pid: number): string {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => {
        const [name, waits, state] = ["comm", "wchan", "stat"].map((file) =>
          readFileSync(`/proc/${pid}/task/${thread}/${file}`, "utf8").trim(),
        );
        return `  thread ${name}: ${/\) (\S)/.exec(state ?? "")?.[1]} ${waits}`;
      })
      .join("\n");
  } catch {
    // Another system, or the process has just exited.
    return `process ${pid}`;
  }
}
