/** The look of the page for judges: light and dark, from a phone to a wide screen. */
export const studyPageStyle = `
:root {
  color-scheme: light dark;
  --ground: #f5f3ee; --surface: #ffffff; --ink: #1d1c19; --quiet: #57534b;
  --line: #d8d3c8; --control: #857f73; --accent: #1b4f8a; --on-accent: #ffffff; --tint: #eaf1f9;
  --serif: ui-serif, Charter, Georgia, "Times New Roman", serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #141518; --surface: #1d1f23; --ink: #ecebe8; --quiet: #b4b1a9;
    --line: #34373d; --control: #7d818a; --accent: #9cc3f5; --on-accent: #0d1726; --tint: #1c2a3b;
  }
}
@media (prefers-contrast: more) {
  :root { --quiet: var(--ink); --line: var(--ink); --control: var(--ink); }
}
* { box-sizing: border-box; }
html { scroll-padding-block: 1rem 9rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif;
}
header, details, main, .notice { width: 100%; max-width: 76rem; margin-inline: auto; padding-inline: clamp(1rem, 3vw, 2rem); }
header { display: flex; align-items: center; gap: 0.75rem 1.5rem; padding-block: 0.9rem; }
h1 { margin: 0; font-size: 1rem; font-weight: 650; }
.progress { flex: 1; display: flex; align-items: center; gap: 0.75rem; color: var(--quiet); font-variant-numeric: tabular-nums; font-size: 0.9rem; white-space: nowrap; }
progress { flex: 1; min-width: 3rem; height: 0.5rem; appearance: none; border: 0; border-radius: 1rem; overflow: hidden; background: var(--line); }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--accent); border-radius: 1rem; }
progress::-moz-progress-bar { background: var(--accent); border-radius: 1rem; }

button, input[type="text"], textarea { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--control); border-radius: 0.5rem; }
button { min-height: 2.75rem; padding: 0.4rem 1rem; cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--accent); background: var(--tint); }
button:disabled { opacity: 0.45; cursor: default; }
button.main, button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
button.main:hover, button[aria-pressed="true"]:hover:not(:disabled) { background: var(--accent); filter: brightness(1.08); }
button[aria-pressed="true"]::after { content: " \\2713"; }
input[type="text"], textarea { width: 100%; padding: 0.5rem 0.75rem; }
input[type="checkbox"] { width: 1.15rem; height: 1.15rem; accent-color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
h2:focus { outline: none; }
kbd { display: inline-block; min-width: 1.6em; padding: 0.05em 0.4em; border: 1px solid currentColor; border-radius: 0.3rem; font: inherit; font-size: 0.8em; text-align: center; opacity: 0.85; }

.notice { margin-block: 0 0.75rem; font-weight: 600; }
.notice::before { content: "! "; }
details { margin-block: 0 0.5rem; }
summary { cursor: pointer; width: fit-content; padding: 0.35rem 0; color: var(--quiet); }
.help { display: grid; grid-template-columns: 1fr minmax(16rem, 22rem); gap: 1rem 2.5rem; padding: 1.1rem 1.25rem; background: var(--surface); border: 1px solid var(--line); border-radius: 0.75rem; }
.help p { margin: 0 0 0.75rem; max-width: 68ch; }
dl { display: flex; flex-wrap: wrap; gap: 0.35rem 1.5rem; margin: 0; color: var(--quiet); font-size: 0.9rem; }
dl div { display: flex; gap: 0.5rem; }
dt { white-space: nowrap; }
dd { margin: 0; }
.settings { display: flex; flex-direction: column; gap: 0.5rem; }
.check { display: flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; }

main { flex: 1; padding-block: 0.5rem 1.5rem; }
.place { margin: 0; color: var(--quiet); font-size: 0.9rem; }
h2 { margin: 0.15rem 0 1.1rem; max-width: 42ch; font: 600 clamp(1.3rem, 1rem + 1.4vw, 1.75rem)/1.3 var(--serif); text-wrap: balance; overflow-wrap: anywhere; }
.texts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; }
article { padding: 0.9rem 1.25rem 1.25rem; background: var(--surface); border: 1px solid var(--line); border-radius: 0.75rem; }
article.is-chosen { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
h3 { margin: 0 0 0.5rem; font-size: 0.9rem; font-weight: 600; color: var(--quiet); }
.is-chosen h3 { color: var(--accent); }
.chosen { display: none; }
.is-chosen .chosen { display: inline; }
.text { max-width: 72ch; white-space: pre-wrap; overflow-wrap: anywhere; }
.text:empty::before { content: "(no text)"; color: var(--quiet); font-style: italic; }
.note { display: block; margin: 1rem 0 0.25rem; color: var(--quiet); font-size: 0.9rem; }
textarea { display: block; resize: vertical; }
#end { padding-block: 12vh 4rem; text-align: center; }
#end h2 { margin-inline: auto; }
#end p { max-width: 54ch; margin: 0 auto 1.5rem; text-wrap: balance; }
.end-buttons { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.75rem; }

footer {
  position: sticky; bottom: 0; display: grid; grid-template-columns: auto minmax(0, 44rem) auto; justify-content: center; align-items: end;
  gap: 0 0.75rem; padding: 0.6rem 1rem calc(0.5rem + env(safe-area-inset-bottom)); background: var(--surface); border-top: 1px solid var(--line);
}
fieldset { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 0.5rem; min-width: 0; margin: 0; padding: 0; border: 0; }
legend { width: 100%; padding: 0 0 0.4rem; font-weight: 600; text-align: center; }
footer button { min-height: 3rem; white-space: nowrap; }
#status { grid-column: 1 / -1; min-height: 1.4rem; margin: 0.25rem 0 0; color: var(--quiet); font-size: 0.85rem; text-align: center; }
#choices:disabled { visibility: hidden; }
[hidden] { display: none !important; }

@media (max-width: 46rem) {
  header { flex-wrap: wrap; padding-block: 0.6rem 0.25rem; }
  h1 { flex: 1; }
  .progress { order: 3; flex-basis: 100%; }
  .help, .texts { grid-template-columns: minmax(0, 1fr); }
  footer { grid-template-columns: auto minmax(0, 1fr) auto; gap: 0 0.5rem; padding-inline: 0.5rem; }
  footer button { padding-inline: 0.5rem; }
  fieldset { gap: 0.35rem; }
  legend { width: calc(100% + 5rem); margin-inline: -2.5rem; font-size: 0.9rem; }
  .wide { display: none; }
  #status:empty { display: none; }
}
@media (pointer: coarse) { footer kbd, dl { display: none; } }
`;
