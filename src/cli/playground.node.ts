// `weir run --playground`: opens one scenario file in the playground of the site, served on this machine.
import { fragmentOf } from "../show/site/address.ts";
import { siteFiles } from "../show/site/site-files.node.ts";
import { sourcesAt } from "../lab/run/scenario-files.node.ts";
import type { Arguments, Refuse } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { serveUntilSignal } from "./site.node.ts";
import type { Terminal } from "./terminal.ts";

/** The flags that --playground permits. Others are refused: the page runs the scenario, so they have no effect. */
const GOES_WITH = new Set(["playground", "seed"]);

export async function playground(
  { operands, switches, values, lists }: Arguments,
  seed: number,
  terminal: Terminal,
  refuse: Refuse,
): Promise<ExitCode> {
  const other = [...switches, ...values.keys(), ...lists.keys()].find(
    (each) => !GOES_WITH.has(each),
  );
  if (other !== undefined)
    return refuse(
      `--${other} cannot be combined with --playground, because it shows its results in the browser only`,
    );
  const { sources, problems } = sourcesAt(operands);
  for (const problem of problems) terminal.err(problem);
  if (problems.length > 0) return EXIT.usage;
  const [source, second] = sources;
  if (source === undefined || second !== undefined)
    return refuse(`--playground shows one scenario file; got ${sources.length}`);
  const fragment = await fragmentOf({ ...source, seed });
  return serveUntilSignal(await siteFiles(), 0, `playground/${fragment}`, true, terminal);
}
