/** The views by name, in the order of the navigation. */
import type { ComponentType } from "preact";
import type { ViewName } from "../place.js";
import { CoreView } from "./core-view.js";
import { GraphView } from "./graph-view.js";
import { LogView } from "./log-view.js";
import { OverviewView } from "./overview-view.js";
import { RecallView } from "./recall-view.js";

interface ViewEntry {
  readonly title: string;
  readonly View: ComponentType;
}

export const views: Readonly<Record<ViewName, ViewEntry>> = {
  graph: { title: "Graph", View: GraphView },
  recall: { title: "Recall", View: RecallView },
  log: { title: "Log", View: LogView },
  core: { title: "Core memory", View: CoreView },
  overview: { title: "Overview", View: OverviewView },
};
