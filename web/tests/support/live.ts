/** `rtoscope live` with the viewer and a connected target. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { RkhStream } from "./rkh";
import { program } from "./server";

const STARTS_WITHIN = 30_000;
const STOPS_WITHIN = 20_000;
const ADDRESS = /waiting for a target [^\n]*127\.0\.0\.1:(\d+)/;
const PAGE = /http:\/\/\S+/;

/** A live recording. */
export class LiveServer {
  private said = "";
  private socket: Socket | null = null;
  private pump: NodeJS.Timeout | undefined;
  readonly stream = new RkhStream();
  /** The bytes that the target received. */
  received = Buffer.alloc(0);

  private constructor(readonly child: ChildProcess) {}

  /** Starts the program and waits until it accepts connections. */
  static async start(
    options: readonly string[] = [],
    source = "tcp-listen://127.0.0.1:0",
  ): Promise<LiveServer> {
    const child = spawn(
      program(),
      ["live", source, "--view", "--no-open", "--port", "0", ...options],
      {
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const server = new LiveServer(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        server.said += text;
      });
    }
    const end = Date.now() + STARTS_WITHIN;
    while (!ADDRESS.test(server.said) || !PAGE.test(server.said)) {
      if (child.exitCode !== null) throw new Error(`rtoscope live exited: ${server.said}`);
      if (Date.now() > end) {
        child.kill("SIGKILL");
        throw new Error(`rtoscope live printed no addresses: ${server.said}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return server;
  }

  get url(): string {
    return PAGE.exec(this.said)?.[0] ?? "";
  }

  get port(): number {
    return Number(ADDRESS.exec(this.said)?.[1]);
  }

  get messages(): string {
    return this.said;
  }

  /** Connects a target. */
  async plug(): Promise<void> {
    const socket = connect(this.port, "127.0.0.1");
    socket.on("error", () => {
      // The program may exit first.
    });
    socket.on("data", (bytes) => {
      this.received = Buffer.concat([this.received, bytes]);
    });
    await once(socket, "connect");
    this.socket = socket;
  }

  /** Disconnects the target. */
  async unplug(): Promise<void> {
    this.rest();
    const { socket } = this;
    this.socket = null;
    if (socket === null) return;
    const closed = once(socket, "close");
    socket.end();
    socket.destroy();
    await closed;
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

  /** Stops the program with an interrupt, as Ctrl+C does. */
  async stop(): Promise<void> {
    await this.unplug();
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, "exit") as Promise<[number | null, string | null]>;
    this.child.kill("SIGINT");
    const timer = setTimeout(() => this.child.kill("SIGKILL"), STOPS_WITHIN);
    const [code, signal] = await ended;
    clearTimeout(timer);
    if (code !== 0) throw new Error(`rtoscope live exited with ${code ?? signal}: ${this.said}`);
  }
}
