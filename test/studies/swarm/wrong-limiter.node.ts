// Loaded before the command, and before each of its threads: the whole command with a limiter that is
// known to be wrong, WEIR_TEST_MUTANT.
import { registerHooks } from "node:module";
import { installSwitches } from "#src/studies/mutants/install-switches.node.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import { putInForce } from "./wrong-board.ts";

const name = process.env["WEIR_TEST_MUTANT"] ?? "";
const { mutant } = (await import(`../mutants/${name}.ts`)) as { readonly mutant: Mutant };
putInForce(mutant);
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.endsWith("/mutants/switchboard.ts")
      ? next(new URL("wrong-board.ts", import.meta.url).href, context)
      : next(specifier, context),
});
installSwitches([mutant.replaces]);
