import { comparisonSchema } from "../studies/bench/compare/comparison.ts";
import { resultSchema } from "../studies/bench/result.ts";
import { suiteSchema } from "../studies/bench/suites.node.ts";
import { implementationsProofSchema } from "../studies/implementations/proof.ts";
import { implementationsRunSchema } from "../studies/implementations/result.ts";
import { changeSchema } from "../studies/diff/change-result.ts";
import { diffSchema } from "../studies/diff/result.ts";
import { identifySchema } from "../studies/identify/result.ts";
import { lintSchema } from "../studies/lint/result.ts";
import { recommendationSchema } from "../studies/recommend/result.ts";
import { replaySchema } from "../studies/replay/result.ts";
import { paretoSchema } from "../studies/pareto/schema.ts";
import { trySchema } from "../studies/try/result.ts";
import { worstSchema } from "../studies/worst/result.ts";
import { explainSchema } from "../lab/report/explain-document.ts";
import { runSchema } from "../lab/report/run-document.ts";
import { scenarioSchema, worldFileSchema } from "../lab/scenario/page/schema.ts";
import { settingsSchema } from "../gateway/settings/schema.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";

export const SCHEMAS: Readonly<Record<string, () => unknown>> = {
  settings: settingsSchema,
  world: worldFileSchema,
  run: runSchema,
  explain: explainSchema,
  suite: suiteSchema,
  bench: resultSchema,
  compare: comparisonSchema,
  lint: lintSchema,
  replay: replaySchema,
  diff: diffSchema,
  change: changeSchema,
  recommend: recommendationSchema,
  try: trySchema,
  pareto: paretoSchema,
  worst: worstSchema,
  identify: identifySchema,
  implementations: implementationsRunSchema,
  proof: implementationsProofSchema,
};

export const schema: Action = ({ switches }, { out }, refuse) => {
  const [wanted, second] = Object.keys(SCHEMAS).filter((name) => switches.has(name));
  if (second !== undefined)
    return refuse(`--${wanted} and --${second} are two schemas; choose one`);
  const of = wanted === undefined ? scenarioSchema : SCHEMAS[wanted]!;
  out(JSON.stringify(of(), null, 2));
  return EXIT.passed;
};
