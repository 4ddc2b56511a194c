/** Chromium for tests: whether there is one, and how it is started so that it asks nobody for anything by itself. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executablePath = process.env["MNEMOSYNE_CHROMIUM"] ?? "/usr/bin/chromium";

/** Where it must be there, a missing one is a failure. */
export const hasBrowser = process.env["CI"] === "true" || existsSync(executablePath);

export const launchOptions = {
  executablePath,
  args: [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
  ],
};

export function launchBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions);
}
