import { originOf } from "../lab/check/retry-origin.ts";
import { explain as explainRow } from "../lab/check/explain.ts";
import { playVariant } from "../lab/drivers/virtual.node.ts";
import { whyNoOracle, worldOf } from "../lab/oracle/world.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { oneLine } from "../kit/reading/legible.ts";
import { plan } from "../lab/scenario/plan/plan.ts";
import { addAnswer } from "../show/answers/answer.ts";
import { answerExplain } from "../show/answers/explain.ts";
import { printAnswer } from "./answer-text.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { explanationText } from "./explain-text.ts";
import { readStoredRun } from "../lab/run/history-input.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import type { VariantHistory } from "../lab/run/pipeline.ts";
import { rowOf } from "./requests-of-flow.ts";
import { listRefused, whyNoHistory } from "./requests-to-explain.node.ts";
import { readScenarios } from "../lab/run/read-scenarios.node.ts";

export const explain: Action = async (args, terminal, refuse) => {
  const { operands, switches, values, lists } = args;
  const { out, err, paint } = terminal;
  if (values.has("config")) {
    const { explainByFile } = await import("./explain-config.node.ts");
    return explainByFile(args, terminal, refuse);
  }
  const unused = ["log", "kind", "set", "key", "format", "zone"].find(
    (name) => values.has(name) || lists.has(name),
  );
  if (unused !== undefined) return refuse(`--${unused} needs --config; add --config FILE`);
  if (operands.length === 0)
    return refuse("a history or a scenario is needed; or --config nginx.conf --log access.log");
  const [file = "", request] = operands;
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const isScenario = /\.ya?ml$/.test(file);
  const problem = isScenario ? null : whyNoHistory(file, request);
  if (problem !== null) {
    err(problem);
    return EXIT.usage;
  }
  const played = isScenario
    ? await playNow(file, seed, values.get("variant"))
    : readStoredRun(file, values.get("scenario"));
  if (isFailure(played)) {
    for (const problem of played.problems) err(oneLine(problem));
    return EXIT.usage;
  }
  const { variant, history } = played;
  if (request === undefined) {
    const typed = ["variant", "scenario", "seed"].flatMap((name) => {
      const value = values.get(name);
      return value === undefined ? [] : [`--${name}`, value];
    });
    for (const line of listRefused(file, history, typed)) err(line);
    return EXIT.usage;
  }
  const row = rowOf(history, request);
  const world = worldOf(variant, history);
  if (isFailure(row) || world === null) {
    err(`${file}: ${isFailure(row) ? row.message : whyNoOracle(variant)!}`);
    return EXIT.usage;
  }
  const explanation = explainRow(history, world, row);
  const origin = originOf(history, row, variant.traffic);
  const facts = { format: "weir-explain/1", ...explanation, retry: origin };
  const document = addAnswer(facts, answerExplain);
  if (switches.has("json")) out(JSON.stringify(document, null, 2));
  else {
    printAnswer(document.answer, { ...terminal, tableColumns: terminal.columns });
    for (const line of explanationText(explanation, origin, history, paint)) out(line);
  }
  return EXIT.passed;
};

async function playNow(
  file: string,
  seed: number,
  name: string | undefined,
): Promise<VariantHistory | Failure> {
  const { scenarios, errors } = readScenarios([file]);
  const [scenario] = scenarios;
  if (errors.length > 0 || scenario === undefined) return new Failure(...errors);
  const { variants, id } = scenario;
  const variant = name === undefined ? variants[0] : variants.find((each) => each.name === name);
  if (variant === undefined && variants.length === 1 && variants[0]!.name === "")
    return new Failure(
      `${file}: there is no variant "${name}"; the scenario has no matrix, so leave out --variant`,
    );
  if (variant === undefined)
    return new Failure(
      `${file}: there is no variant "${name}"; choose one of:`,
      ...variants.map((each) => `  "${each.name}"`),
    );
  return { variant, history: await playVariant(variant, plan(variant, id, seed)) };
}
