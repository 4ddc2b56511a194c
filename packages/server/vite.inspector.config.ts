/** The inspector's page, built into dist/inspector: one script, one style, one worker, nothing inline. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const root = fileURLToPath(new URL("src/inspector/", import.meta.url));

export default defineConfig({
  root,
  base: "./",
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("dist/inspector/", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // Data in an address would need img-src data:.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: "es" },
});
