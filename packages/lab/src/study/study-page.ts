/**
 * The page for judges: one HTML file with style, script and pack inside, which works from a disk without a network. Its
 * content security policy allows only the script and the style whose hashes it lists. The script is the compiled
 * `study-browser.ts`.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { StudyPack } from "./study-format.js";
import { studyPageStyle } from "./study-page-style.js";

export function renderStudyPage(pack: StudyPack): string {
  const script = `\n${readFileSync(new URL("study-browser.js", import.meta.url), "utf8")}`;
  const style = `\n${studyPageStyle}`;
  const shown = pack.show === "answers" ? "answers" : "notes from earlier talks";
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy(script, style)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <title>Which helps more?</title>
    <style>${style}</style>
  </head>
  <body>
    <header>
      <h1>Which helps more?</h1>
      <div class="progress">
        <progress id="progress" aria-labelledby="progress-text"></progress>
        <span id="progress-text"></span>
      </div>
      <button type="button" id="save">Save<span class="wide"> judgments</span></button>
    </header>
    <noscript><p class="notice">This page needs JavaScript. It runs on this device only and sends nothing.</p></noscript>
    <p class="notice" id="notice" role="alert" hidden></p>
    <details id="help">
      <summary>How it works</summary>
      <div class="help">
        <div>
          <p>Each question comes with two texts (${shown}). Decide which of them would help more to answer the question on the day it was asked. If both are equally good or equally bad, say so. The order is random, and nothing shows where a text comes from.</p>
          <p>Your choices are stored in this browser and not sent anywhere. When you are done or need a break, save the judgments as a file. Return the file to the person who gave you this page.</p>
          <dl>
            <div><dt><kbd>1</kbd> <kbd>2</kbd></dt><dd>the first or the second text helps more</dd></div>
            <div><dt><kbd>0</kbd> <kbd>T</kbd></dt><dd>a tie</dd></div>
            <div><dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>back and forward</dd></div>
            <div><dt><kbd>Esc</kbd></dt><dd>leave the note</dd></div>
          </dl>
        </div>
        <div class="settings">
          <label for="judge">Your name or initials (optional)</label>
          <input id="judge" type="text" maxlength="80" autocomplete="off" />
          <label class="check"><input id="advance" type="checkbox" /> Move on after each choice</label>
          <button type="button" id="load">Load saved judgments</button>
          <input id="load-file" type="file" accept=".json,application/json" aria-label="File of saved judgments" hidden />
          <button type="button" id="restart">Start over for another judge</button>
        </div>
      </div>
    </details>
    <main>
      <section id="item" aria-labelledby="question">
        <p class="place" id="place"></p>
        <h2 id="question" tabindex="-1" dir="auto"></h2>
        <div class="texts">
          <article id="left-card" aria-labelledby="left-title">
            <h3 id="left-title">Text 1<span class="chosen">, your choice</span></h3>
            <div class="text" id="left" dir="auto"></div>
          </article>
          <article id="right-card" aria-labelledby="right-title">
            <h3 id="right-title">Text 2<span class="chosen">, your choice</span></h3>
            <div class="text" id="right" dir="auto"></div>
          </article>
        </div>
        <label class="note" for="note">Note (optional)</label>
        <textarea id="note" rows="2" maxlength="2000"></textarea>
      </section>
      <section id="end" aria-labelledby="end-title" hidden>
        <h2 id="end-title" tabindex="-1"></h2>
        <p id="end-text"></p>
        <p class="end-buttons">
          <button type="button" id="first-open">Go to the first open question</button>
          <button type="button" id="end-save" class="main">Save judgments</button>
        </p>
      </section>
    </main>
    <footer>
      <button type="button" id="back" aria-keyshortcuts="ArrowLeft" aria-label="Back">←</button>
      <fieldset id="choices">
        <legend>Which would help more to answer?</legend>
        <button type="button" id="choose-left" aria-pressed="false" aria-keyshortcuts="1"><kbd aria-hidden="true">1</kbd> Text 1</button>
        <button type="button" id="choose-tie" aria-pressed="false" aria-keyshortcuts="0 T"><kbd aria-hidden="true">0</kbd> Tie</button>
        <button type="button" id="choose-right" aria-pressed="false" aria-keyshortcuts="2"><kbd aria-hidden="true">2</kbd> Text 2</button>
      </fieldset>
      <button type="button" id="forward" aria-keyshortcuts="ArrowRight" aria-label="Forward">→</button>
      <p id="status" role="status"></p>
    </footer>
    <script type="application/json" id="pack">${JSON.stringify(pack).replaceAll("<", String.raw`\u003c`)}</script>
    <script type="module">${script}</script>
  </body>
</html>
`;
}

function policy(script: string, style: string): string {
  const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}
