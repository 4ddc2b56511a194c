/** Reads a large export, made piece by piece, and prints what it counted. The parent limits the heap. */
import { readExport } from "../../dist/import/index.js";

const [format, megabytes] = process.argv.slice(2);
const startMs = Date.UTC(2020, 0, 1);
const sentence = (number) => `${number}: ${"harbour rope engine bread garden Tuesday letter violin ".repeat(6)}`;

function chatgptConversation(number) {
  const nodes = Array.from({ length: 12 }, (_, i) => {
    const create_time = startMs / 1000 + number * 120_000 + i * 60;
    const content = { content_type: "text", parts: [sentence(number * 12 + i)] };
    const message = { author: { role: i % 2 === 0 ? "user" : "assistant" }, create_time, content };
    return [`m${i}`, { message, parent: i === 0 ? null : `m${i - 1}` }];
  });
  return { create_time: startMs / 1000, mapping: Object.fromEntries(nodes), current_node: "m11", id: `talk-${number}` };
}

/** A pause after every thirtieth message. */
function whatsappLine(number) {
  const at = new Date(startMs + (number + Math.floor(number / 30) * 420) * 60_000).toISOString();
  const [year, month, day] = at.slice(0, 10).split("-");
  return `${day}/${month}/${year}, ${at.slice(11, 16)} - ${number % 2 === 0 ? "Bram" : "Saoirse"}: ${sentence(number)}\n`;
}

const pieceOf = {
  chatgpt: (number) => `${number === 0 ? "[" : ","}${JSON.stringify(chatgptConversation(number))}`,
  whatsapp: whatsappLine,
}[format];

async function* pieces() {
  for (let number = 0, done = 0; done < Number(megabytes) * 1e6; number++) {
    const piece = pieceOf(number);
    done += piece.length;
    yield piece;
  }
  if (format === "chatgpt") yield "]";
}

const reading = readExport(format, pieces(), { timeZone: "UTC" });
let characterCount = 0;
for await (const { turns } of reading) for (const { text } of turns) characterCount += text.length;
const { interactionCount, messageCount } = reading.counts;
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1000);
process.stdout.write(JSON.stringify({ interactionCount, messageCount, characterCount, peakMegabytes }));
