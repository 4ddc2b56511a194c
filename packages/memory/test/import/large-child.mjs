/** Reads a large export and prints what it counted, with the most memory it needed. The parent limits its heap. */
import { readExport } from "../../dist/import/index.js";
import { chatgptExport, whatsappExport } from "./large-exports.mjs";

const [format, megabytes] = process.argv.slice(2);
const source = { chatgpt: chatgptExport, whatsapp: whatsappExport }[format];
const reading = readExport(format, source(Number(megabytes) * 1e6), { timeZone: "UTC" });
let characterCount = 0;
for await (const { turns } of reading) for (const { text } of turns) characterCount += text.length;
const { interactionCount, messageCount } = reading.counts;
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1000);
process.stdout.write(JSON.stringify({ interactionCount, messageCount, characterCount, peakMegabytes }));
