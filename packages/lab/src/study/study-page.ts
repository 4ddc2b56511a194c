/** The page for judges: one file, opened from disk, that sends nothing anywhere and saves the judgments as a download. */
import type { Comparison } from "./study.js";

export function writePage(study: string, comparisons: readonly Comparison[]): string {
  // Texts of others must not end the script.
  const data = JSON.stringify({ study, comparisons }).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Which text is better?</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 72rem; margin: 1rem auto; padding: 0 1rem; }
  .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
  .sides pre { border: 1px solid; border-radius: 0.5rem; padding: 1rem; white-space: pre-wrap; font: inherit; margin: 0; }
  button, input { font: inherit; padding: 0.5rem 1rem; }
  button[aria-pressed="true"] { outline: 3px solid; }
  @media (max-width: 40rem) { .sides { grid-template-columns: 1fr; } }
</style>
<h1>Which text is better?</h1>
<p>Two systems remembered the same conversations. Read the question, then both texts, and choose the one that would
serve the person better: right, specific and natural. Choose “equal” if both are equally strong or weak. Keys: 1, 2, 3;
arrows to go back and forth. Nothing is sent: save your judgments at the end and return the file.</p>
<p><label>Your name or number <input id="judge" autocomplete="off"></label></p>
<p id="progress" aria-live="polite"></p>
<h2 id="question"></h2>
<p id="time"></p>
<div class="sides"><pre id="left"></pre><pre id="right"></pre></div>
<p><button data-choice="left">1: left</button> <button data-choice="tie">2: equal</button>
<button data-choice="right">3: right</button></p>
<p><button id="back">← back</button> <button id="next">next →</button> <button id="save">Save judgments</button></p>
<script type="application/json" id="data">${data}</script>
<script>
  const { study, comparisons } = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const kept = JSON.parse(localStorage.getItem("study " + study) ?? "{}");
  const choices = kept.choices ?? {};
  let place = Math.max(0, comparisons.findIndex(({ id }) => !(id in choices)));
  at("judge").value = kept.judge ?? "";
  const sheet = () => ({ study, judge: at("judge").value.trim(), choices });
  const keep = () => localStorage.setItem("study " + study, JSON.stringify(sheet()));
  const move = (by) => { place = Math.min(comparisons.length - 1, Math.max(0, place + by)); show(); };
  function show() {
    const { id, question, atMs, left, right } = comparisons[place];
    at("progress").textContent = (place + 1) + " of " + comparisons.length + "; judged " + Object.keys(choices).length;
    at("question").textContent = question;
    at("time").textContent = "Asked on " + new Date(atMs).toUTCString();
    at("left").textContent = left;
    at("right").textContent = right;
    for (const button of document.querySelectorAll("[data-choice]"))
      button.setAttribute("aria-pressed", String(choices[id] === button.dataset.choice));
  }
  function choose(choice) { choices[comparisons[place].id] = choice; keep(); move(1); }
  for (const button of document.querySelectorAll("[data-choice]")) button.onclick = () => choose(button.dataset.choice);
  at("back").onclick = () => move(-1);
  at("next").onclick = () => move(1);
  at("judge").oninput = keep;
  at("save").onclick = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(sheet(), null, 1)], { type: "application/json" }));
    link.download = "judgments-" + (sheet().judge.replace(/[^a-z0-9]+/gi, "-") || "unnamed") + ".json";
    link.click();
  };
  onkeydown = ({ key, target }) => {
    if (target === at("judge")) return;
    const choice = { 1: "left", 2: "tie", 3: "right" }[key];
    if (choice) choose(choice);
    else if (key === "ArrowLeft" || key === "ArrowRight") move(key === "ArrowLeft" ? -1 : 1);
  };
  show();
</script>
</html>
`;
}
