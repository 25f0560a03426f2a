/** `rtoscope view` as a server process. */

import { dirname, join } from "node:path";
import { Program } from "./process";

export { generator, program } from "./process";

/** `rtoscope view` with some files. */
export class Server {
  private isStopped = false;

  private constructor(
    readonly url: string,
    readonly process: Program,
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
    const process = new Program(["view", "--no-open", ...options, ...files], {
      XDG_STATE_HOME: join(folder, "state"),
    });
    try {
      const [url] = await process.line("stdout", /^http:\/\/\S+$/);
      return new Server(url, process);
    } catch (error) {
      await process.end("SIGKILL");
      throw error;
    }
  }

  /** Process id. */
  get pid(): number {
    return this.process.pid;
  }

  /** Output on standard error. */
  get messages(): string {
    return this.process.output("stderr");
  }

  /** Fails if the program has exited by itself. */
  expectRunning(): void {
    if (this.isStopped || this.process.exit === null) return;
    throw new Error(`exited early\n${this.process.description()}`);
  }

  /** Stops the program, as Ctrl+C does. It must exit soon and without error. */
  async stop(): Promise<void> {
    if (this.isStopped) return;
    this.expectRunning();
    this.isStopped = true;
    const exit = await this.process.end("SIGTERM");
    if (exit !== 0) throw new Error(`stopped with an error\n${this.process.description()}`);
  }
}
