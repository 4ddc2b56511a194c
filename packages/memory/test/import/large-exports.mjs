/** Exports of any size, piece by piece, the same in every run; nobody in them exists. */

const words =
  "harbour rope engine bread garden Tuesday letter violin winter kettle bridge oar lantern orchard ferry".split(" ");

/** @param {number} seed */
function sentence(seed) {
  const picked = Array.from({ length: 40 }, (_, i) => words[(seed * 7 + i * (1 + (seed % 5))) % words.length]);
  return `${seed}: ${picked.join(" ")}.`;
}

const startMs = Date.UTC(2020, 0, 1);
const gapMs = 60_000;

/** @param {number} number */
function chatgptConversation(number) {
  const mapping = { root: { id: "root", message: null, parent: null, children: ["m0"] } };
  let parent = "root";
  for (let i = 0; i < 12; i++) {
    const id = `m${i}`;
    const create_time = (startMs + (number * 2000 + i) * gapMs) / 1000;
    const content = { content_type: "text", parts: [sentence(number * 12 + i)] };
    const author = { role: i % 2 === 0 ? "user" : "assistant" };
    mapping[id] = { id, message: { id, author, create_time, content }, parent, children: [`m${i + 1}`] };
    parent = id;
  }
  const create_time = (startMs + number * 2000 * gapMs) / 1000;
  return { title: `Talk ${number}`, create_time, mapping, current_node: parent, conversation_id: `talk-${number}` };
}

/**
 * A conversations.json of at least so many bytes.
 * @param {number} byteCount
 */
export async function* chatgptExport(byteCount) {
  let done = 0;
  for (let number = 0; done < byteCount; number++) {
    const piece = `${number === 0 ? "[" : ","}${JSON.stringify(chatgptConversation(number))}`;
    done += piece.length;
    yield piece;
  }
  yield "]";
}

/**
 * A _chat.txt of at least so many bytes, a pause after every thirtieth message.
 * @param {number} byteCount
 */
export async function* whatsappExport(byteCount) {
  let done = 0;
  for (let number = 0; done < byteCount; number++) {
    const at = new Date(startMs + number * gapMs + Math.floor(number / 30) * 7 * 60 * gapMs).toISOString();
    const [year, month, day] = at.slice(0, 10).split("-");
    const piece = `${day}/${month}/${year}, ${at.slice(11, 16)} - ${number % 2 === 0 ? "Bram" : "Saoirse"}: ${sentence(number)}\n`;
    done += piece.length;
    yield piece;
  }
}
