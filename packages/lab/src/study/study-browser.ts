/**
 * The script inside the page for judges. It shows the pack's items one by one, keeps the judgments in the browser's
 * IndexedDB, and saves them to a file or loads them from one. It never uses the network. Local storage would be simpler,
 * but a page from a disk that reads it while it loads now and then gets another, empty one (Chromium 156).
 */
import type { Choice, Judgment, JudgmentSheet, StudyItem, StudyPack } from "./study-format.js";

interface Progress {
  sheet: string;
  judge: string;
  isAdvancing: boolean;
  readonly choices: Map<string, Choice>;
  readonly notes: Map<string, string>;
}

const choices: readonly Choice[] = ["left", "tie", "right"];
const choiceNames: Readonly<Record<Choice, string>> = { left: "Text 1", tie: "Tie", right: "Text 2" };
const choiceKeys: Readonly<Record<string, Choice>> = { "1": "left", "2": "right", "0": "tie", t: "tie" };

const pack = JSON.parse(find("pack").textContent) as StudyPack;
const items = pack.items;
const storeName = "progress";
const judgeInput = find("judge") as HTMLInputElement;
const advanceInput = find("advance") as HTMLInputElement;
const noteInput = find("note") as HTMLTextAreaElement;
const fileInput = find("load-file") as HTMLInputElement;

const database = await openDatabase();
const otherTabs = new BroadcastChannel(`study-${pack.pack}`);

let progress = (await restore()) ?? begin();
let isStored = true;
let isSaved = true;
let position = firstOpen();

/** The position after the last item shows how to return the judgments. */
function show(next: number, message = ""): void {
  position = Math.max(0, Math.min(items.length, next));
  render();
  find("status").textContent = message;
  window.scrollTo(0, 0);
  find(position < items.length ? "question" : "end-title").focus({ preventScroll: true });
}

function render(): void {
  const item = items[position];
  find("item").hidden = item === undefined;
  find("end").hidden = item !== undefined;
  if (item === undefined) renderEnd();
  else renderItem(item);
  const bar = find("progress") as HTMLProgressElement;
  bar.max = items.length;
  bar.value = progress.choices.size;
  find("progress-text").textContent = `${progress.choices.size} of ${items.length} judged`;
  (find("choices") as HTMLFieldSetElement).disabled = item === undefined;
  (find("back") as HTMLButtonElement).disabled = position === 0;
  (find("forward") as HTMLButtonElement).disabled = item === undefined;
  judgeInput.value = progress.judge;
  advanceInput.checked = progress.isAdvancing;
}

function renderItem(item: StudyItem): void {
  const chosen = progress.choices.get(item.id);
  find("place").textContent = `${position + 1} of ${items.length}, asked on ${formatDay(item.at)}`;
  find("question").textContent = item.question;
  find("left").textContent = item.left.trim();
  find("right").textContent = item.right.trim();
  noteInput.value = progress.notes.get(item.id) ?? "";
  markChosen(chosen);
}

function renderEnd(): void {
  const openCount = items.length - progress.choices.size;
  find("end-title").textContent = openCount === 0 ? "That was the last one. Thank you." : `${openCount} still open`;
  find("end-text").textContent =
    openCount === 0
      ? "Save the judgments and return the file to the person who gave you this page."
      : "You can save what you have and continue another day, or judge the rest now.";
  find("first-open").hidden = openCount === 0;
  markChosen(undefined);
}

function markChosen(chosen: Choice | undefined): void {
  for (const choice of choices) find(`choose-${choice}`).setAttribute("aria-pressed", String(choice === chosen));
  find("left-card").classList.toggle("is-chosen", chosen === "left");
  find("right-card").classList.toggle("is-chosen", chosen === "right");
}

function formatDay(at: string): string {
  const day = /^\d{4}-\d{2}-\d{2}/u.exec(at)?.[0];
  if (day === undefined) return at;
  const parts = { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat("en-GB", parts).format(new Date(day));
}

function choose(choice: Choice): void {
  const item = items[position];
  if (item === undefined) return;
  progress.choices.set(item.id, choice);
  keep();
  (find("help") as HTMLDetailsElement).open = false;
  const message = `${choiceNames[choice]} chosen for ${position + 1} of ${items.length}.`;
  if (progress.isAdvancing) return show(position + 1, message);
  render();
  find("status").textContent = message;
}

function firstOpen(): number {
  const at = items.findIndex(({ id }) => !progress.choices.has(id));
  return at === -1 ? items.length : at;
}

function begin(): Progress {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const sheet = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { sheet, judge: "", isAdvancing: true, choices: new Map(), notes: new Map() };
}

/** `null` where the browser stores nothing. */
function openDatabase(): Promise<IDBDatabase | null> {
  return new Promise((resolve) => {
    try {
      const opening = indexedDB.open(`study-${pack.pack}`);
      opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(storeName));
      opening.addEventListener("success", () => resolve(opening.result));
      opening.addEventListener("error", () => resolve(null));
    } catch {
      resolve(null);
    }
  });
}

function restore(): Promise<Progress | null> {
  return new Promise((resolve) => {
    if (database === null) return resolve(null);
    const reading = database.transaction(storeName).objectStore(storeName).get(storeName) as IDBRequest<
      Progress | undefined
    >;
    reading.addEventListener("success", () => resolve(reading.result ?? null));
    reading.addEventListener("error", () => resolve(null));
  });
}

/** Called after every change; warns if the browser stores nothing. Committed at once: the page may be closed the next moment. */
function keep(): void {
  isSaved = false;
  try {
    if (database === null) throw new Error("No database.");
    const transaction = database.transaction(storeName, "readwrite", { durability: "strict" });
    transaction.addEventListener("complete", () => otherTabs.postMessage(null));
    transaction.addEventListener("abort", warnOfLoss);
    transaction.objectStore(storeName).put(progress, storeName);
    transaction.commit();
  } catch {
    warnOfLoss();
  }
}

function warnOfLoss(): void {
  isStored = false;
  warn("This browser does not store your judgments. Save them as a file before you close the page.");
}

function warn(message: string): void {
  find("notice").textContent = message;
  find("notice").hidden = message === "";
}

function toSheet(): JudgmentSheet {
  const judgments = items.flatMap(({ id }) => {
    const choice = progress.choices.get(id);
    const note = (progress.notes.get(id) ?? "").trim();
    return choice === undefined ? [] : [{ item: id, choice, ...(note === "" ? {} : { note }) }];
  });
  return {
    format: "study-judgments-1",
    pack: pack.pack,
    sheet: progress.sheet,
    judge: progress.judge.trim(),
    judgments,
  };
}

function save(): void {
  const link = document.createElement("a");
  const who = progress.judge.trim().replaceAll(/[^\p{L}\p{N}]+/gu, "-") || progress.sheet.slice(0, 6);
  link.download = `judgments-${pack.pack.slice(0, 8)}-${who}.json`;
  link.href = URL.createObjectURL(new Blob([`${JSON.stringify(toSheet(), null, 2)}\n`], { type: "application/json" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  isSaved = true;
  find("status").textContent = `Saved as ${link.download}.`;
}

async function load(file: File): Promise<void> {
  const loaded = readSheet(await file.text());
  if (typeof loaded === "string") return warn(`${file.name} was not loaded: ${loaded}`);
  const isLoss = [...progress.choices].some(([id, choice]) => loaded.choices.get(id) !== choice);
  if (isLoss && !window.confirm("This replaces the judgments in this browser. Continue?")) return;
  progress = loaded;
  keep();
  warn("");
  show(firstOpen(), `${loaded.choices.size} judgments loaded from ${file.name}.`);
}

/** The progress that a file contains, or why it contains none. */
function readSheet(text: string): Progress | string {
  let sheet: Partial<JudgmentSheet>;
  try {
    sheet = (JSON.parse(text) ?? {}) as Partial<JudgmentSheet>;
  } catch {
    return "it is not JSON.";
  }
  if (sheet.format !== "study-judgments-1") return "it is not a file of judgments.";
  if (sheet.pack !== pack.pack) return "it belongs to another page.";
  const loaded: Progress = { ...begin(), isAdvancing: progress.isAdvancing };
  if (typeof sheet.sheet !== "string" || typeof sheet.judge !== "string" || !Array.isArray(sheet.judgments)) {
    return "it is incomplete.";
  }
  loaded.sheet = sheet.sheet;
  loaded.judge = sheet.judge;
  for (const judgment of sheet.judgments as readonly (Partial<Judgment> | null)[]) {
    const { item, choice, note } = judgment ?? {};
    if (item === undefined || choice === undefined || !isItem(item) || !choices.includes(choice)) {
      return "it contains an invalid judgment.";
    }
    loaded.choices.set(item, choice);
    if (typeof note === "string") loaded.notes.set(item, note);
  }
  return loaded;
}

function isItem(id: string): boolean {
  return items.some((item) => item.id === id);
}

function restart(): void {
  const question = "This removes the judgments from this browser. Have you saved them as a file?";
  if (progress.choices.size > 0 && !window.confirm(question)) return;
  progress = { ...begin(), isAdvancing: progress.isAdvancing };
  keep();
  show(0, "Ready for another judge.");
}

function pressKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const { target, key } = event;
  const isWriting =
    target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === "text");
  if (isWriting) {
    if (key === "Escape") target.blur();
    return;
  }
  const choice = choiceKeys[key.toLowerCase()];
  if (choice !== undefined) choose(choice);
  else if (key === "ArrowLeft") show(position - 1);
  else if (key === "ArrowRight") show(position + 1);
  else return;
  event.preventDefault();
}

function find(id: string): HTMLElement {
  return document.getElementById(id)!;
}

function onClick(id: string, act: () => void): void {
  find(id).addEventListener("click", act);
}

for (const choice of choices) onClick(`choose-${choice}`, () => choose(choice));
onClick("back", () => show(position - 1));
onClick("forward", () => show(position + 1));
onClick("first-open", () => show(firstOpen()));
onClick("save", save);
onClick("end-save", save);
onClick("load", () => fileInput.click());
onClick("restart", restart);
fileInput.addEventListener("change", () => {
  const file = fileInput.files?.[0];
  fileInput.value = "";
  if (file !== undefined) void load(file);
});
judgeInput.addEventListener("input", () => {
  progress.judge = judgeInput.value;
  keep();
});
advanceInput.addEventListener("change", () => {
  progress.isAdvancing = advanceInput.checked;
  keep();
});
noteInput.addEventListener("input", () => {
  progress.notes.set(items[position]!.id, noteInput.value);
  keep();
});
document.addEventListener("keydown", pressKey);
otherTabs.addEventListener("message", async () => {
  progress = (await restore()) ?? progress;
  render();
});
window.addEventListener("beforeunload", (event) => {
  if (!isStored && !isSaved) event.preventDefault();
});
(find("help") as HTMLDetailsElement).open = progress.choices.size === 0;
render();
