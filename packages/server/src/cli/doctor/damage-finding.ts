/** `mnemosyne doctor` on damage in a store: what it is, and the command that saves the rest. */
import { type StoreDamage, describeDamage } from "mnemosyne-edge";
import type { Settings } from "../settings.js";
import { type Finding, databaseName } from "./doctor-finding.js";

const shownCountMax = 20;

export function findDamage(state: string, damage: readonly StoreDamage[], { path, keyFile }: Settings): Finding {
  const shown = damage.slice(0, shownCountMax).map(describeDamage);
  const rest = damage.length > shownCountMax ? [`and ${damage.length - shownCountMax} more`] : [];
  const key = keyFile === undefined ? "" : ` --from-key-file ${keyFile} --to-key-file ${keyFile}`;
  return {
    name: databaseName,
    ok: damage.length === 0,
    detail: [state, ...shown, ...rest].join("; "),
    remedy: `\`mnemosyne migrate --skip-damaged --from ${path} --to whole.db${key}\` copies what is whole to a new file; what is missing there may be in an export or a copy`,
  };
}
