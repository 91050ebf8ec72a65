import { originOf } from "../lab/check/retry-origin.ts";
import { explain as explainRow } from "../lab/check/explain.ts";
import { playVariant } from "../lab/drivers/virtual.node.ts";
import { whyNoOracle, worldOf } from "../lab/oracle/world.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { plan } from "../lab/scenario/plan/plan.ts";
import { addAnswer } from "../show/answers/answer.ts";
import { answerExplain } from "../show/answers/explain.ts";
import { printAnswer } from "./answer-text.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { explanationText } from "./explain-text.ts";
import { readStoredRun } from "../lab/run/history-input.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import type { ExplainDocument } from "../lab/report/explain-document.ts";
import type { VariantHistory } from "../lab/run/pipeline.ts";
import { rowOf } from "./requests-of-flow.ts";
import { JSON_NEEDS_REQUEST, listRefused, whyNoHistory } from "./requests-to-explain.node.ts";
import { readScenarios } from "../lab/run/read-scenarios.node.ts";
import { reportProblems } from "./terminal.ts";
import { variantOf } from "./variant-of.ts";

export const explain: Action = async (args, terminal, refuse) => {
  const { operands, switches, values, lists } = args;
  const { out } = terminal;
  if (values.has("config")) {
    const { explainByFile } = await import("./explain-config.node.ts");
    return explainByFile(args, terminal, refuse);
  }
  const unused = ["log", "kind", "set", "fleet", "key", "format", "zone"].find(
    (name) => values.has(name) || lists.has(name),
  );
  if (unused !== undefined) return refuse(`--${unused} needs --config; add --config FILE`);
  if (operands.length === 0)
    return refuse("a history or a scenario is needed; or --config nginx.conf --log access.log");
  const [file = "", request] = operands;
  if (request === undefined && switches.has("json")) return refuse(JSON_NEEDS_REQUEST);
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const isScenario = /\.ya?ml$/.test(file);
  const problem = isScenario ? null : whyNoHistory(file, request);
  if (problem !== null) {
    reportProblems(terminal, "explain", [problem]);
    return EXIT.usage;
  }
  const played: PlayedVariant | Failure = isScenario
    ? await playNow(file, seed, values.get("variant"))
    : readStoredRun(file, values.get("scenario"));
  if (isFailure(played)) {
    reportProblems(terminal, "explain", played.problems);
    return EXIT.usage;
  }
  const { variant, history, variants = 1 } = played;
  if (request === undefined) {
    const typed = ["variant", "scenario", "seed"].flatMap((name) => {
      const value = values.get(name);
      return value === undefined ? [] : [`--${name}`, value];
    });
    for (const line of listRefused(file, history, typed)) out(line);
    return EXIT.passed;
  }
  const row = rowOf(history, request);
  const world = worldOf(variant, history);
  if (isFailure(row) || world === null) {
    const why = isFailure(row) ? row.message : whyNoOracle(variant)!;
    reportProblems(terminal, "explain", [`${file}: ${why}`]);
    return EXIT.usage;
  }
  const explanation = explainRow(history, world, row);
  const origin = originOf(history, row, variant.traffic);
  const facts = {
    format: "weir-explain/1" as const,
    variant: variant.name === "" ? null : variant.name,
    variants,
    ...explanation,
    retry: origin,
  };
  const document: ExplainDocument = addAnswer(facts, answerExplain);
  if (switches.has("json")) out(JSON.stringify(document, null, 2));
  else {
    printAnswer(document.answer, { ...terminal, tableColumns: terminal.columns });
    for (const line of explanationText(explanation, origin, history, terminal)) out(line);
  }
  return EXIT.passed;
};

interface PlayedVariant extends VariantHistory {
  readonly variants?: number; // of the scenario; unset: a history has only one
}

async function playNow(
  file: string,
  seed: number,
  name: string | undefined,
): Promise<PlayedVariant | Failure> {
  const { scenarios, errors } = readScenarios([file]);
  const [scenario] = scenarios;
  if (errors.length > 0 || scenario === undefined) return new Failure(...errors);
  const variant = variantOf(scenario, file, name);
  if (isFailure(variant)) return variant;
  const history = await playVariant(variant, plan(variant, scenario.id, seed));
  return { variant, history, variants: scenario.variants.length };
}
