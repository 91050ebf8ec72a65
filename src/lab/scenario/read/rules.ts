// The file of another limiter in a world: its rules decide in place of Weir's configuration.
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { warningAt, type Path, type Problem } from "../../../kit/reading/problems.ts";
import { mapOf, optional, text, type Fields, type Values } from "../../../kit/reading/shape.ts";
import type { Fault } from "../fault.ts";
import type { RequestFacts } from "../../implementations/reading.ts";
import type { Flow, Variant } from "../types.ts";
import { LOOPBACK } from "../history.ts";
import type { RulesOfFile } from "../world.ts";
import { scn, type ScenarioCode } from "./codes.ts";

interface FileOfWorld {
  readonly file: string; // relative to the folder of the scenario
  readonly kind: string | null;
  readonly values: ReadonlyMap<string, string>;
}

/** Reads the configuration of another limiter. Only a caller with access to files supplies it. */
export type RulesReader = (wanted: FileOfWorld) => RulesOfFile | Failure;

export const NO_RULES_FILES: RulesReader = () =>
  new Failure("this scenario is in no folder, so it has no other files");

export const RULES_FIELDS = {
  file: optional(
    text,
    null,
    "The configuration of another limiter, such as `../nginx.conf`, from the folder of the scenario. Its rules decide, so there are no APIs, policies, keys or options.",
  ),
  kind: optional(text, null, "Of `file`: its program, if several readers recognize it."),
  set: optional(mapOf(text), null, "Of `file`: values that only production has, by name."),
} as const satisfies Fields;

const WITHOUT_FILE = ["apis", "policies", "keys", "gateway", "store", "management"];

export function readRulesOf(
  { file, kind, set }: Values<typeof RULES_FIELDS>,
  written: Readonly<Record<string, unknown>>,
  at: Path,
  readRules: RulesReader,
  problems: Problem[],
): RulesOfFile | null | undefined {
  const place = (name: string): Path => [...at, name];
  if (file === null) {
    const alone = kind !== null ? "kind" : set !== null ? "set" : null;
    return alone === null
      ? null
      : scn(
          problems,
          "SCN-UNKNOWN-FIELD",
          place(alone),
          `${alone} is read only with file`,
          "add file",
        );
  }
  const other = WITHOUT_FILE.find((name) => Object.hasOwn(written, name));
  if (other !== undefined)
    return scn(
      problems,
      "SCN-UNKNOWN-FIELD",
      place(other),
      `the rules of ${file} decide, so that ${other} has no effect`,
      "remove it, or remove file",
    );
  const found = readRules({ file, kind, values: new Map(Object.entries(set ?? {})) });
  if (isFailure(found)) {
    for (const problem of found.problems) scn(problems, "SCN-FILE", place("file"), problem);
    return undefined;
  }
  return found;
}

/** Those of a gateway itself; others change a store or a configuration, which the rules do not have. */
const POSSIBLE: ReadonlySet<Fault["kind"]> = new Set([
  "gateway_restart",
  "gateway_crash",
  "gateway_leave",
  "gateway_join",
  "clock_skew",
]);

/** Reports what has no effect on the rules of a file, and what the file leaves open. */
export function checkRules(
  { file, configuration, doubts }: RulesOfFile,
  { traffic, faults, calls }: Pick<Variant, "traffic" | "faults" | "calls">,
  problems: Problem[],
): void {
  // A request may raise a question that the file has only for it.
  for (const flow of traffic) for (const rule of configuration.rules) rule.budgetOf(factsOf(flow));
  for (const doubt of doubts())
    problems.push(warningAt("SCN-RULES" satisfies ScenarioCode, ["world", "file"], doubt, ""));
  for (const { kind } of faults.filter((fault) => !POSSIBLE.has(fault.kind)))
    scn(
      problems,
      "SCN-UNKNOWN-FIELD",
      ["faults"],
      `${kind} has no effect on the rules of ${file}`,
      "remove it",
    );
  if (calls.length > 0)
    scn(
      problems,
      "SCN-UNKNOWN-FIELD",
      ["traffic"],
      `there is no management API to call, because the rules of ${file} decide`,
      "remove the calls",
    );
}

function factsOf({ method, path, headers }: Flow): RequestFacts {
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const header: RequestFacts["header"] = (name) => sent.get(name) ?? null;
  return { method, target: path, address: LOOPBACK, host: header("host") ?? "", header };
}
