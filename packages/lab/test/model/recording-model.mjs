/**
 * A language model that forwards everything and records each reply, its step, the seconds it took and the seconds this
 * process had a processor: on a busy device the second number says more.
 */
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
    const [startMs, startUsage] = [performance.now(), process.cpuUsage()];
    const reply = await this.#model.complete(request);
    const seconds = (performance.now() - startMs) / 1000;
    const { user, system } = process.cpuUsage(startUsage);
    const processorSeconds = (user + system) / 1e6;
    const fault = findReplyFault(reply, request.schema);
    const step = this.#stepOf(request);
    this.calls.push({ step, request, reply, seconds, processorSeconds, fault });
    this.#write(`  ${step}, ${Math.round(seconds)} s, ${Math.round(processorSeconds)} s of a processor\n`);
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
