// Reads the behaviours with which implementations are examined: the scenarios of one folder of the suite.
import { basename, join } from "node:path";
import { BEHAVIOURS } from "../../lab/implementations/behaviour-names.node.ts";
import { Failure } from "../../kit/reading/failure.ts";
import { formatProblem } from "../../kit/reading/source.ts";
import { sourcesAt } from "../../lab/run/scenario-files.node.ts";
import { decode } from "../../lab/scenario/read/decode.ts";
import type { Scenario } from "../../lab/scenario/types.ts";

export interface BehaviourFile {
  readonly id: string; // the scenario's id without its folder
  readonly file: string;
  readonly text: string;
  readonly scenario: Scenario;
}

/** Reads all behaviours of the suite, or only those named in `only`. */
export function readBehaviours(only: readonly string[] = []): readonly BehaviourFile[] | Failure {
  const { sources, problems } = sourcesAt([BEHAVIOURS]);
  if (problems.length > 0) return new Failure(...problems);
  const behaviours: BehaviourFile[] = [];
  for (const { file, text } of sources) {
    const { scenario, problems: wrong } = decode(file, text);
    if (scenario === null) return new Failure(...wrong.map(formatProblem));
    behaviours.push({ id: basename(file, ".yaml"), file, text, scenario });
  }
  const unknown = only.filter((name) => !behaviours.some(({ id }) => id === name));
  return unknown.length > 0
    ? new Failure(
        `no behaviour is called ${unknown.join(" or ")}; see ${join("scenarios", "behaviours")}`,
      )
    : behaviours.filter(({ id }) => only.length === 0 || only.includes(id));
}
