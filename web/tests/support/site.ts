/** The folder of `cargo xtask page`, on a web host of this process. */

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER =
  process.env.RTOSCOPE_SITE ?? fileURLToPath(new URL("../../../target/page", import.meta.url));

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export class Site {
  /** Paths of all requests. */
  readonly requests: string[] = [];

  private constructor(private readonly server: Server) {
    server.on("request", (request, response) => {
      const path = new URL(request.url ?? "/", "http://localhost").pathname;
      this.requests.push(path);
      readFile(join(FOLDER, path === "/" ? "index.html" : path)).then(
        (content) => {
          response.setHeader("content-type", TYPES[extname(path) || ".html"] ?? "text/plain");
          response.end(content);
        },
        () => response.writeHead(404).end(),
      );
    });
  }

  static async start(): Promise<Site> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    return new Site(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.server.close();
  }
}
