/** Light or dark: as the system has it, until somebody chooses. The choice is kept in this browser. */
import { signal } from "@preact/signals";

export type Theme = "light" | "dark";

const name = "mnemosyne-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

export const theme = signal<Theme>(readTheme());

export function startTheme(): void {
  system.addEventListener("change", () => {
    theme.value = readTheme();
  });
  theme.subscribe((value) => {
    document.documentElement.dataset["theme"] = value;
  });
}

export function chooseTheme(value: Theme): void {
  localStorage.setItem(name, value);
  theme.value = value;
}

function readTheme(): Theme {
  const chosen = localStorage.getItem(name);
  if (chosen === "light" || chosen === "dark") return chosen;
  return system.matches ? "dark" : "light";
}
