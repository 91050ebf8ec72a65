// `weir completion`: scripts that complete commands, flags, values and files, built from the commands' data.
import type { Action } from "./arguments.ts";
import { listCommands } from "./completed-command.ts";
import { EXIT } from "./exit.ts";

const SHELLS: Readonly<Record<string, () => Promise<string>>> = {
  bash: async () => (await import("./completion-bash.ts")).bashScript(listCommands()),
  zsh: async () => (await import("./completion-zsh.ts")).zshScript(listCommands()),
  fish: async () => (await import("./completion-fish.ts")).fishScript(listCommands()),
};

export const completion: Action = async ({ operands: [shell = ""] }, { out }, refuse) => {
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script === undefined)
    return refuse(`the shell must be one of ${Object.keys(SHELLS).join(", ")}; got "${shell}"`);
  out((await script()).trimEnd());
  return EXIT.passed;
};
