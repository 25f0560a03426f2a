/** Builds the extension: one script, for Node and for browsers. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { EXTENSIONS, SHARED_EXTENSIONS } from "../src/session/wire";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const patterns = (extensions: readonly string[]) => {
  const files = `*.{${extensions.join(",")}}`;
  return [{ filenamePattern: files }, { filenamePattern: `${files}.{gz,zst}` }];
};

/** The manifest with the names of files that the editors open. */
function manifest(): Plugin {
  return {
    name: "manifest",
    generateBundle() {
      const content = JSON.parse(readFileSync(here("package.json"), "utf8"));
      const [own, shared] = content.contributes.customEditors;
      own.selector = patterns(EXTENSIONS);
      shared.selector = patterns(SHARED_EXTENSIONS);
      const source = JSON.stringify(content, null, 2);
      this.emitFile({ type: "asset", fileName: "package.json", source });
    },
  };
}

export default defineConfig({
  root: here("."),
  plugins: [manifest()],
  publicDir: false,
  build: {
    outDir: process.env.RTOSCOPE_WEB_OUT ?? here("../dist"),
    target: "es2022",
    lib: { entry: here("src/extension.ts"), formats: ["cjs"], fileName: () => "extension.js" },
    rolldownOptions: { external: ["vscode"] },
  },
});
