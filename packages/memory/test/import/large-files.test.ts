/**
 * A file that is far larger than the memory it may take. MNEMOSYNE_IMPORT_MEGABYTES=100 reads that much; by default it
 * is as much as a reader that kept everything could not hold.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const child = fileURLToPath(new URL("large-child.mjs", import.meta.url));
const megabytes = Number(process.env["MNEMOSYNE_IMPORT_MEGABYTES"] ?? 24);
const heapMegabytes = 16;

it.each(["chatgpt", "whatsapp"])("%s is read in a heap that is smaller than the file", (format) => {
  const args = [`--max-old-space-size=${heapMegabytes}`, child, format, String(megabytes)];
  const counts = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Record<string, number>;
  expect(counts["characterCount"]).toBeGreaterThan(megabytes * 5e5);
  expect(counts["messageCount"]).toBeGreaterThan(counts["interactionCount"]! * 10);
});
