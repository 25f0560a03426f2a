import { defineConfig } from "vitest/config";

/** The server answers its own page only, so requests have to look as if they came from it. */
const server = "http://127.0.0.1:7070";

export default defineConfig({
  base: "./",
  build: {
    // What the server embeds: one page, one script, one style sheet.
    outDir: process.env.RTOSCOPE_WEB_OUT ?? "dist",
    emptyOutDir: true,
    target: "es2022",
    // A data URL would need a weaker content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // `npm run dev` beside a running `rtoscope view --port 7070 --no-open FILE`.
    proxy: { "/api": { target: server, changeOrigin: true, headers: { origin: server } } },
  },
  // Tests of elements name jsdom themselves: it takes longer to start than they run.
  test: { environment: "node", include: ["{src,vscode}/**/*.test.{ts,tsx}"] },
});
