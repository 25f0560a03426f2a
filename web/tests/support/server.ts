/** The program under test as a server process. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

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

const STARTS_WITHIN = 20_000;
const STOPS_WITHIN = 10_000;

/** `rtoscope view` with some files. */
export class Server {
  private stopped = false;

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly said: string[],
  ) {}

  /**
   * Starts the program and waits for the address that it prints. `folder` has its list of recent
   * recordings: by default that of the first file.
   */
  static async start(
    files: readonly string[],
    options: readonly string[] = [],
    folder = dirname(files[0] ?? "."),
  ): Promise<Server> {
    const child = spawn(program(), ["view", "--no-open", ...options, ...files], {
      env: { ...process.env, XDG_STATE_HOME: join(folder, "state") },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said: string[] = [];
    child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
    const lines = createInterface(child.stdout);
    let timer: NodeJS.Timeout | undefined;
    const url = await Promise.race([
      once(lines, "line").then(([line]) => String(line)),
      once(child, "error").then(([error]) => Promise.reject(error as Error)),
      once(child, "exit").then(([code]) =>
        Promise.reject(new Error(`rtoscope view exited with ${String(code)}: ${said.join("")}`)),
      ),
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          child.kill("SIGKILL");
          reject(new Error("rtoscope view printed no address"));
        }, STARTS_WITHIN);
      }),
    ]).finally(() => clearTimeout(timer));
    return new Server(url, child, said);
  }

  /** Process id. */
  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new Error("the process has exited");
    return pid;
  }

  /** Output on standard error. */
  get messages(): string {
    return this.said.join("");
  }

  /** Stops the program, as Ctrl+C does. It must exit soon and without error. */
  async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    const early = this.child.exitCode ?? this.child.signalCode;
    if (early !== null) throw new Error(`rtoscope view exited early: ${early}: ${this.messages}`);
    const ended = once(this.child, "exit") as Promise<[number | null, string | null]>;
    this.child.kill("SIGTERM");
    const timer = setTimeout(() => this.child.kill("SIGKILL"), STOPS_WITHIN);
    const [code, signal] = await ended;
    clearTimeout(timer);
    if (code !== 0)
      throw new Error(`rtoscope view exited with ${code ?? signal}: ${this.messages}`);
  }
}
