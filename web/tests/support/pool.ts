/** Servers that tests share: starting one and opening its recordings takes longer than most tests. */

import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Server } from "./server";

/** A trace of the repository by its path, or one built by a test. */
export type Source = string | { name: string; bytes: Uint8Array };

/** Maximum number of idle servers. */
const MAX_IDLE = 6;

/** A server on copies of traces, in a folder of its own. */
export class PooledServer {
  /** Whether the server and its folder are as they were at the start. */
  isPristine = true;

  private constructor(
    /** Differs for other recordings and options; `null` if no test shares this server. */
    readonly key: string | null,
    readonly folder: string,
    readonly files: readonly string[],
    readonly options: readonly string[],
    public server: Server,
  ) {}

  static async start(
    key: string | null,
    sources: readonly Source[],
    options: readonly string[],
  ): Promise<PooledServer> {
    const folder = await mkdtemp(join(tmpdir(), "rtoscope-viewer-"));
    try {
      const files = await Promise.all(sources.map((source) => copied(folder, source)));
      const server = await Server.start(files, options);
      return new PooledServer(key, folder, files, options, server);
    } catch (error) {
      await rm(folder, { recursive: true });
      throw error;
    }
  }

  async stop(): Promise<void> {
    try {
      await this.server.stop();
    } finally {
      await rm(this.folder, { recursive: true });
    }
  }
}

/** Servers by their recordings and options. */
export class ServerPool {
  /** The one used last is at the end. */
  private readonly idle: PooledServer[] = [];

  /** Returns a server that no other test has changed. */
  async take(sources: readonly Source[], options: readonly string[]): Promise<PooledServer> {
    const isShared = sources.every((source) => typeof source === "string");
    const key = isShared ? JSON.stringify([sources, options]) : null;
    const at = this.idle.findIndex((one) => key !== null && one.key === key);
    const [found] = at < 0 ? [] : this.idle.splice(at, 1);
    return found ?? PooledServer.start(key, sources, options);
  }

  /** Whether other tests will use a server. */
  keeps({ isPristine, key }: PooledServer): boolean {
    return isPristine && key !== null;
  }

  /** Takes a server back after a test. */
  async give(pooled: PooledServer): Promise<void> {
    if (!this.keeps(pooled)) return pooled.stop();
    pooled.server.expectRunning();
    this.idle.push(pooled);
    if (this.idle.length > MAX_IDLE) await this.idle.shift()?.stop();
  }

  async stop(): Promise<void> {
    await Promise.all(this.idle.splice(0).map((one) => one.stop()));
  }
}

/** Copies a trace into a folder; returns its path. */
export async function copied(folder: string, source: Source): Promise<string> {
  const path = join(folder, typeof source === "string" ? basename(source) : source.name);
  if (typeof source === "string") await copyFile(source, path);
  else await writeFile(path, source.bytes);
  return path;
}
