/** A language model that passes everything on and notes each reply, the step it was for and the seconds it took. */
import { findReplyFault } from "./schema-check.mjs";

export class RecordingModel {
  calls = [];
  #model;
  #prompts;
  #write;

  constructor(model, prompts, write) {
    this.#model = model;
    this.#prompts = prompts;
    this.#write = write;
  }

  get name() {
    return this.#model.name;
  }

  get textTokensMax() {
    return this.#model.textTokensMax;
  }

  async complete(request) {
    const startMs = performance.now();
    const reply = await this.#model.complete(request);
    const seconds = (performance.now() - startMs) / 1000;
    const fault = findReplyFault(reply, request.schema);
    const step = this.#stepOf(request);
    this.calls.push({ step, request, reply, seconds, fault });
    this.#write(`  ${step}, ${Math.round(seconds)} s\n`);
    return reply;
  }

  #stepOf({ instruction }) {
    const [name] = Object.entries(this.#prompts).find(([, prompt]) => prompt === instruction);
    return stepNames[name];
  }
}

const stepNames = {
  interactionSummary: "interaction summary",
  runningSummary: "running summary",
  commitment: "commitment",
  coreSummaryFirst: "core summary",
  coreSummaryUpdate: "core summary",
};
