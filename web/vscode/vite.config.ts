/** Builds the extension: one script, for Node and for browsers. */

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("."),
  publicDir: false,
  build: {
    outDir: process.env.RTOSCOPE_WEB_OUT ?? here("../dist"),
    target: "es2022",
    lib: { entry: here("src/extension.ts"), formats: ["cjs"], fileName: () => "extension.js" },
    rolldownOptions: { external: ["vscode"] },
  },
});
