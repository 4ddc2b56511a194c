// What a run says in the end: the share caught per room with its interval, and every survivor.
import { wilson } from "./sample.mjs";

export function roomReport(room, results, accepted) {
  const counted = results.filter(({ outcome }) => outcome !== "refused");
  const caught = counted.filter(({ outcome }) => outcome === "caught").length;
  const survivors = counted.filter(({ outcome }) => outcome === "survived");
  const equivalent = survivors.filter(({ id }) => accepted.get(id)?.kind === "equivalent").length;
  return {
    room,
    drawn: results.length,
    refusedByCompiler: results.length - counted.length,
    mutants: counted.length,
    caught,
    share: shareOf(caught, counted.length),
    equivalent,
    shareWithoutEquivalent: shareOf(caught, counted.length - equivalent),
    survivors: survivors.map(({ mutated: _code, place: _place, ...survivor }) => ({
      ...survivor,
      accepted: accepted.get(survivor.id),
    })),
  };
}

function shareOf(caught, total) {
  return { value: total === 0 ? 1 : caught / total, interval: wilson(caught, total) };
}

export function formatReport(report) {
  const { room, mutants, caught, share, refusedByCompiler, equivalent, shareWithoutEquivalent, survivors } = report;
  const open = survivors.filter(({ accepted }) => accepted === undefined);
  const explained = survivors.filter(({ accepted }) => accepted !== undefined);
  return [
    `src/${room}: ${caught} of ${mutants} caught, ${formatShare(share)}; ${refusedByCompiler} more the compiler refuses`,
    `  without ${equivalent} that are equivalent: ${formatShare(shareWithoutEquivalent)}`,
    ...listed("survivors", open, () => ""),
    ...listed("explained", explained, ({ accepted }) => `  (${accepted.kind}: ${accepted.reason})`),
  ].join("\n");
}

function listed(title, survivors, note) {
  if (survivors.length === 0) return [];
  return [`  ${title}:`, ...survivors.map((survivor) => `    ${formatMutant(survivor)}${note(survivor)}`)];
}

export function formatMutant({ id, file, line, name, original, replacement, tests }) {
  const seen = tests === 0 ? " [no test enters it]" : "";
  return `${id} ${file}:${line} ${name}: ${shorten(original)} → ${shorten(replacement)}${seen}`;
}

function shorten(text) {
  return text.length > 90 ? `${text.slice(0, 44)} … ${text.slice(-44)}` : text;
}

function formatShare({ value, interval: [low, high] }) {
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  return `${percent(value)} (95 %: ${percent(low)} to ${percent(high)})`;
}
