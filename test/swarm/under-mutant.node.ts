// A swarm over a limiter that is known to be wrong, in a process of its own: what is loaded before the
// switches are installed has none. Prints the first failure as JSON, and what the reference makes of it.
import type { Mutant } from "../../src/mutants/mutant.ts";
import { installSwitches } from "../../src/mutants/catalogue.node.ts";
import { under } from "../../src/mutants/switchboard.ts";
import { digest } from "../../src/swarm/digest.node.ts";

const [name = "", most = ""] = process.argv.slice(2);
const { mutant } = (await import(`../mutants/${name}.ts`)) as { readonly mutant: Mutant };
installSwitches([mutant.replaces]);
const { textOf, trySeed } = await import("../../src/swarm/found.ts");
const { tried } = await import("../../src/swarm/trial.ts");

function hunted(): unknown {
  for (let seed = 1; seed <= Number(most); seed++) {
    const { found } = under(mutant, () => trySeed(seed, digest));
    if (found === null) continue;
    const text = textOf(found);
    const wrong = under(mutant, () => tried(text, found.runSeed, digest));
    const right = tried(text, found.runSeed, digest);
    return {
      seed,
      requests: found.requests,
      left: found.left,
      runSeed: found.runSeed,
      what: found.failure.what,
      text,
      wrong: wrong.failure?.what ?? null,
      right: right.failure?.what ?? null,
      proved: right.proved,
    };
  }
  return null;
}

process.stdout.write(JSON.stringify(hunted()));
