// `weir completion`: scripts that complete commands, flags, values and files, built from the commands' data.
import { suiteNames } from "../studies/bench/suites.node.ts";
import { ownImplementations } from "../lab/implementations/catalogue.node.ts";
import type { Action } from "./arguments.ts";
import { listCommands, type CompletedCommand, type OperandNames } from "./completed-command.ts";
import { EXIT } from "./exit.ts";

type WriteScript = (commands: readonly CompletedCommand[]) => string;

const SHELLS: Readonly<Record<string, () => Promise<WriteScript>>> = {
  bash: async () => (await import("./completion-bash.ts")).bashScript,
  zsh: async () => (await import("./completion-zsh.ts")).zshScript,
  fish: async () => (await import("./completion-fish.ts")).fishScript,
};

/** The names for the words SUITE and NAME in usages. An installation has fewer suites than a checkout. */
const listNames = (): OperandNames => ({ SUITE: suiteNames(), NAME: ownImplementations() });

export const completion: Action = async ({ operands: [shell = ""] }, { out }, refuse) => {
  const load = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (load === undefined)
    return refuse(`the shell must be one of ${Object.keys(SHELLS).join(", ")}; got "${shell}"`);
  const writeScript = await load();
  out(writeScript(listCommands(listNames())).trimEnd());
  return EXIT.passed;
};
