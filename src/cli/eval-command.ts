/** `eval`: what the memory is worth, measured. */
import type { Command } from "commander";
import { addStudyCommand } from "./study-command.js";

export function addEvalCommand(program: Command): void {
  const evalCommand = program.command("eval").description("measure memories: human studies");
  addStudyCommand(evalCommand);
}
