/** `rtoscope live` with the viewer and a connected target. */

import { connect, type Socket } from "node:net";
import { Program } from "./process";
import { RkhStream } from "./rkh";

/** A live recording. */
export class LiveServer {
  private socket: Socket | null = null;
  private pump: NodeJS.Timeout | undefined;
  readonly stream = new RkhStream();
  /** The bytes that the target received. */
  received = Buffer.alloc(0);

  private constructor(
    readonly process: Program,
    /** Address of the page. */
    readonly url: string,
    /** Port that waits for the target. */
    readonly port: number,
  ) {}

  /** Starts the program and waits until it accepts connections. */
  static async start(options: readonly string[] = []): Promise<LiveServer> {
    const source = "tcp-listen://127.0.0.1:0";
    const process = new Program(["live", source, "--view", "--no-open", "--port", "0", ...options]);
    try {
      const [[url], [, port]] = await Promise.all([
        process.line("stdout", /^http:\/\/\S+$/),
        process.line("stderr", /waiting for a target .*127\.0\.0\.1:(\d+)$/),
      ]);
      return new LiveServer(process, url, Number(port));
    } catch (error) {
      await process.end("SIGKILL");
      throw error;
    }
  }

  /** Process id. */
  get pid(): number {
    return this.process.pid;
  }

  /** Connects a target, and waits until the program reports it. */
  async plug(): Promise<void> {
    const from = this.process.length;
    const socket = connect(this.port, "127.0.0.1");
    this.socket = socket;
    socket.on("error", () => {
      // The program may exit first.
    });
    socket.on("data", (bytes) => {
      this.received = Buffer.concat([this.received, bytes]);
    });
    await this.process.line("stderr", /: connected to /, from);
  }

  /** Disconnects the target, and waits until the program reports it. */
  async unplug(): Promise<void> {
    const from = this.process.length;
    this.drop();
    await this.process.line("stderr", /: waiting for a target /, from);
  }

  /** Sends records. */
  send(records: number): void {
    this.socket?.write(this.stream.take(records));
  }

  /** Sends records at an interval in milliseconds from now on. */
  run(records: number, every: number): void {
    this.rest();
    this.pump = setInterval(() => this.send(records), every);
  }

  /** Stops sending. */
  rest(): void {
    clearInterval(this.pump);
  }

  /** Stops the program with an interrupt, as Ctrl+C does. It must exit soon and without error. */
  async stop(): Promise<void> {
    this.rest();
    try {
      const exit = await this.process.end("SIGINT");
      if (exit !== 0) throw new Error(`stopped with an error\n${this.process.description()}`);
    } finally {
      this.drop();
    }
  }

  private drop(): void {
    this.rest();
    this.socket?.destroy();
    this.socket = null;
  }
}
