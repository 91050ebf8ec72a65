// `weir mutants --redis`: compares the Redis scripts with scripts that are wrong on purpose.
import { commandLine } from "../kit/command-line.ts";
import { isRedisThere, NO_REDIS, startOwnRedis } from "../lab/drivers/own-redis.node.ts";
import { scriptCatalogue } from "../studies/mutants/catalogue.node.ts";
import type { ScriptMutant } from "../studies/mutants/script-mutant.ts";
import { many } from "../kit/reading/legible.ts";
import { tryScripts, type ScriptTrial } from "../studies/mutants/try-scripts.node.ts";
import type { Refuse } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

/** Lists the mutants of the Redis scripts, or tries them. Refuses an unknown name. */
export async function mutateScripts(
  { names, seed, isJson, isList }: ScriptQuestion,
  { out, err, status, paint }: Terminal,
  refuse: Refuse,
): Promise<ExitCode> {
  const all = await scriptCatalogue();
  if (all === null) {
    err(
      "the mutants are in a checkout of Weir, below test/studies/mutants: they are not published",
    );
    return EXIT.usage;
  }
  const unknownName = names.find((name) => !all.some((mutant) => isSelected(mutant, name)));
  if (unknownName !== undefined)
    return refuse(
      `no mutant or file of the scripts is called "${unknownName}"; ${commandLine("mutants --redis --list")} shows them`,
    );
  const chosen =
    names.length === 0
      ? all
      : all.filter((mutant) => names.some((name) => isSelected(mutant, name)));
  if (isList) {
    if (isJson) out(json({ format: "weir-script-mutant-list/1", mutants: chosen }));
    else {
      for (const { name, about, breaks } of chosen)
        out(
          `${paint("strong", name)}\n  ${about}\n  ${paint("faint", `breaks ${breaks.join(", ")}`)}`,
        );
      out(many(chosen.length, "mutant"));
    }
    return EXIT.passed;
  }
  if (!isRedisThere()) {
    err(NO_REDIS);
    return EXIT.unreachable;
  }
  const redis = await startOwnRedis();
  let trial: ScriptTrial;
  try {
    trial = await tryScripts(redis.url, chosen, seed, ({ name }, done) =>
      status(`${done} of ${chosen.length} mutants: ${name}`),
    );
  } finally {
    await redis.stop();
  }
  const { original, tried } = trial;
  const problems = [
    ...(original === null ? [] : [`the original scripts: ${original}`]),
    ...tried
      .filter(({ killedBy }) => killedBy === null)
      .map(({ mutant: { name, about } }) => `${name}: nothing kills it (${about})`),
  ];
  if (isJson) {
    const mutants = tried.map(({ mutant, killedBy }) => ({ ...mutant, killedBy }));
    out(json({ format: "weir-script-mutants/1", seed, mutants, faults: problems }));
  } else {
    for (const { mutant, killedBy } of tried)
      out(
        killedBy === null
          ? `${paint("bad", "lives")}  ${mutant.name}`
          : `${paint("good", "killed")} ${mutant.name} ${paint("faint", killedBy)}`,
      );
    for (const problem of problems) out(paint("bad", problem));
    const killed = tried.filter(({ killedBy }) => killedBy !== null).length;
    out(`${killed} of ${many(tried.length, "mutant")} killed, ${many(problems.length, "error")}`);
    out(`${killed} passed, ${problems.length} failed, 0 skipped`);
  }
  return problems.length === 0 ? EXIT.passed : EXIT.failed;
}

interface ScriptQuestion {
  readonly names: readonly string[]; // empty: all
  readonly seed: number;
  readonly isJson: boolean;
  readonly isList: boolean;
}

/** `wanted` names a mutant, or a file to select all of its mutants. Shells complete the name of a file with a slash. */
const isSelected = ({ name, file }: ScriptMutant, wanted: string): boolean =>
  name === wanted || file === wanted.replace(/\/$/, "");

const json = (document: unknown): string => JSON.stringify(document, null, 2);
