/** Closing really closes: neither files nor sockets nor threads of a memory stay open in the process. */
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { Mnemosyne } from "mnemosyne-edge";
import { expect, test } from "vitest";
import { laboratory } from "./laboratory.mjs";
import { ScratchFolder } from "./scratch-folder.js";

const folder = new ScratchFolder();

/** What the process has open, as the system names it; sockets and pipes have a number of their own. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return [];
    }
  });
}
