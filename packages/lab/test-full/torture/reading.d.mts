import type { Mnemosyne } from "mnemosyne-edge";
import type { Look } from "./checks.mjs";

export function readEverything(memories: Mnemosyne): Promise<Look>;
