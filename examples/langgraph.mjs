// A graph whose nodes remember, with a store that survives the process. Needs @langchain/langgraph and @langchain/core.
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { Mnemosyne } from "mnemosyne-edge";
import { MnemosyneStore } from "mnemosyne-edge/langgraph";

const mnemosyne = await Mnemosyne.open({ path: "langgraph.db" });
const store = new MnemosyneStore(mnemosyne);

const State = Annotation.Root({ said: Annotation, known: Annotation });
const graph = new StateGraph(State)
  .addNode("remember", async ({ said }, config) => {
    await config.store.put(["ada", "facts"], `fact-${said.length}`, { text: said, from: "chat" });
    return {};
  })
  .addNode("recall", async ({ said }, config) => {
    const found = await config.store.search(["ada"], { query: said, filter: { from: "chat" }, limit: 1 });
    return { known: found.map(({ value }) => value.text) };
  })
  .addEdge(START, "remember")
  .addEdge("remember", "recall")
  .addEdge("recall", END)
  .compile({ store });

await graph.invoke({ said: "The boat is in the harbour of Setubal." });
const { known } = await graph.invoke({ said: "I practise the piano every Thursday evening." });
process.stdout.write(`${known.join("\n")}\n`);
process.stdout.write(`${JSON.stringify(await store.listNamespaces())}\n`);
await mnemosyne.close();
