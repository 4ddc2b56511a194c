/** mnemosyne-edge/import: a person's past from other programs, and out again. */
export { commitImported } from "./commit-imported.js";
export type { ImportTarget, ImportedCounts } from "./commit-imported.js";
export { exportMarkdown } from "./export-markdown.js";
export type { ExportSource } from "./export-markdown.js";
export type { ExportChunks } from "./export-text.js";
export { exportFormats } from "./imported-interaction.js";
export type { ExportFormat, ImportedInteraction, ImportedMetadata } from "./imported-interaction.js";
export { readExport } from "./read-export.js";
export type { ExportReading, ReadExportOptions } from "./read-export.js";
export type { ReadingCounts } from "./reading.js";
