/** `mnemosyne eval`: how well the memory does, and how to check it. */
import type { Command } from "commander";
import { addJudgeCommand } from "./judge-command.js";

export function addEvalCommand(program: Command): void {
  const evalCommand = program.command("eval").description("measure how well the memory does");
  addJudgeCommand(evalCommand);
}
