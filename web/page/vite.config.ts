/**
 * Builds the page without a server: `--mode site` for a web host, `--mode file` as one file,
 * `--mode editor` for the extension in `../vscode`, which writes the document.
 */

import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import { EXTENSIONS } from "../src/session/wire";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The module of crates/web, packed with gzip; `cargo xtask page` sets it. */
const SESSION = process.env.RTOSCOPE_SESSION ?? "";

/** Workers are part of the script: they have its policy, and need no second request. */
function inlined(): Plugin {
  return {
    name: "inlined",
    enforce: "pre",
    resolveId(source, importer) {
      if (source === "virtual:session") return this.resolve(`${SESSION}?url`, importer);
      if (source.endsWith("?worker")) return this.resolve(`${source}&inline`, importer);
      return null;
    },
  };
}

const MANIFEST = {
  name: "rtoscope",
  description: "Shows event traces of RTOSes",
  start_url: "./",
  display: "standalone",
  icons: [{ src: "icon.svg", sizes: "any", type: "image/svg+xml" }],
  file_handlers: [
    {
      action: "./",
      accept: { "application/x-rtoscope": EXTENSIONS.map((name) => `.${name}`) },
      launch_type: "single-client",
    },
  ],
};

/** Answers from the cache, which has all files of one version. */
const serviceWorker = (version: string, files: readonly string[]) => `
const CACHE = "rtoscope-${version}";
const FILES = ${JSON.stringify(["./", ...files])};
self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("rtoscope-") && name !== CACHE;
  const tidy = async () => Promise.all((await caches.keys()).filter(isOld).map((name) => caches.delete(name)));
  event.waitUntil(tidy().then(() => self.clients.claim()));
});
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    caches.open(CACHE)
      .then((cache) => cache.match(event.request, { ignoreSearch: true }))
      .then((found) => found ?? fetch(event.request)),
  );
});
`;

/** Makes the page installable and usable without a connection. */
function offline(): Plugin {
  return {
    name: "offline",
    generateBundle(_, bundle) {
      const emit = (fileName: string, source: string) =>
        this.emitFile({ type: "asset", fileName, source });
      emit("manifest.webmanifest", JSON.stringify(MANIFEST));
      const names = [...Object.keys(bundle), "manifest.webmanifest", "icon.svg"].sort();
      const content = names.map((name) => {
        const part = bundle[name];
        return [name, part?.type === "chunk" ? part.code : String(part?.source ?? "")];
      });
      const version = createHash("sha256").update(JSON.stringify(content)).digest("hex");
      emit("sw.js", serviceWorker(version.slice(0, 16), names));
    },
  };
}

/** Unpacks the script of the page and runs it. */
const LOADER = `
const packed = document.getElementById("viewer").textContent;
const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const code = new Blob([await new Response(unpacked).blob()], { type: "text/javascript" });
await import(URL.createObjectURL(code));
`;

/** Moves scripts and styles into the page. The policy allows the loader, and what it unpacks. */
function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["recording.html"];
      if (page?.type !== "asset") throw new Error("the page is missing");
      let html = String(page.source);
      html = html.replace(
        /<script type="module"[^>]*src="\.\/([^"]+)"><\/script>/g,
        (_tag, name) => {
          const part = bundle[name as string];
          if (part?.type !== "chunk") throw new Error(`${name} is missing`);
          delete bundle[name as string];
          // The one chunk has nothing to load before it.
          const code = part.code.replaceAll("__VITE_PRELOAD__", "void 0");
          const packed = gzipSync(code, { level: 9 }).toString("base64");
          return (
            `<script type="text/plain" id="viewer">${packed}</script>` +
            `<script type="module">${LOADER}</script>`
          );
        },
      );
      html = html.replace(/<link rel="stylesheet"[^>]*href="\.\/([^"]+)">/g, (_tag, name) => {
        const part = bundle[name as string];
        if (part?.type !== "asset") throw new Error(`${name} is missing`);
        delete bundle[name as string];
        return `<style>${String(part.source)}</style>`;
      });
      const loader = createHash("sha256").update(LOADER).digest("base64");
      const policy =
        `default-src 'none'; script-src 'sha256-${loader}' blob: 'wasm-unsafe-eval'; worker-src blob:; ` +
        "style-src 'unsafe-inline'; img-src data: blob:; connect-src data:; base-uri 'none'; form-action 'none'";
      const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
      page.source = html.replace(
        '<meta charset="utf-8" />',
        (charset) => `${charset}\n    ${meta}`,
      );
      const left = Object.keys(bundle).filter((name) => name !== "recording.html");
      if (left.length > 0) throw new Error(`not in the page: ${left.join(", ")}`);
    },
  };
}

export default defineConfig(({ mode }) => {
  const isFile = mode === "file";
  const isEditor = mode === "editor";
  const input = isFile ? "recording.html" : isEditor ? "../src/page/editor.ts" : "index.html";
  return {
    root: here("."),
    base: "./",
    publicDir: isFile || isEditor ? false : here("../public"),
    plugins: [inlined(), isFile ? oneFile() : !isEditor && offline()],
    build: {
      outDir: process.env.RTOSCOPE_WEB_OUT ?? here("../dist"),
      emptyOutDir: !isFile,
      target: "es2022",
      cssCodeSplit: !isEditor,
      assetsInlineLimit: isFile ? Number.MAX_SAFE_INTEGER : 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 8192,
      rolldownOptions: {
        input: here(input),
        output: {
          codeSplitting: !isFile,
          ...(isEditor && { entryFileNames: "[name].js", assetFileNames: "[name][extname]" }),
        },
      },
    },
    worker: { plugins: () => [inlined()] },
  };
});
