// The options of `weir recommend` as a question, or what is wrong with them.
import { many } from "../kit/reading/legible.ts";
import type { Micros } from "../kit/units.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { NameTable } from "../studies/replay/names.ts";
import type { LogQuestion } from "../studies/replay/requests.ts";
import { parseKey } from "../studies/replay/selectors.ts";
import type { RecommendQuestion } from "../studies/recommend/recommend.ts";
import type { RefusalTarget } from "../studies/recommend/search.ts";
import type { Arguments } from "./arguments.ts";
import { countIn } from "./bench-options.ts";
import {
  burstIn,
  conditionsIn,
  formatNamed,
  limitersIn,
  notAWindow,
  windowIn,
  zoneIn,
} from "./replay-question.ts";

const USUAL_TARGET: RefusalTarget = { requests: 0.001, clients: 0.01 };
const USUAL_TOP = 5;
const MOST_TOP = 100;
const MOST_CANDIDATES = 50;
const EXAMPLE = "such as 1m, or 1s,1m,1h";

export interface RecommendArguments {
  readonly logs: LogQuestion;
  readonly question: RecommendQuestion;
}

export function recommendQuestion(
  { values, lists }: Arguments,
  seed: number,
): RecommendArguments | Failure {
  const windows = windowsIn(values.get("per"));
  if (isFailure(windows)) return windows;
  const requests = shareIn(values, "refuse-at-most", USUAL_TARGET.requests);
  if (isFailure(requests)) return requests;
  const burst = burstIn(values.get("burst"));
  if (isFailure(burst)) return burst;
  const rules = limitersIn(values, burst);
  if (isFailure(rules)) return rules;
  const dependent = rules.find(({ options }) => options.imitation?.keys != null);
  if (dependent !== undefined)
    return new Failure(
      `--profile ${dependent.by.name} drops the budgets of clients if there are many, so that no client can be decided alone; compare its rates by weir replay --limit`,
    );
  if (rules.length * windows.length > MOST_CANDIDATES)
    return new Failure(
      `${many(windows.length, "window")} and ${many(rules.length, "algorithm")} are ${rules.length * windows.length} candidates; at most ${MOST_CANDIDATES} are searched at once`,
    );
  const key = parseKey(values.get("key") ?? "ip");
  if (isFailure(key)) return new Failure(`--key: ${key.message}`);
  // One client for all requests is refused by the first refusal, which is no target.
  const usualClients = key.length === 0 ? 1 : USUAL_TARGET.clients;
  const clients = shareIn(values, "clients-at-most", usualClients);
  if (isFailure(clients)) return clients;
  const conditions = conditionsIn(lists, "where");
  if (isFailure(conditions)) return conditions;
  const labels = conditionsIn(lists, "bad");
  if (isFailure(labels)) return labels;
  const format = formatNamed(values.get("format"));
  if (isFailure(format)) return format;
  const zoneUs = zoneIn(values);
  if (isFailure(zoneUs)) return zoneUs;
  const top = countIn(values, "top", MOST_TOP);
  if (isFailure(top)) return top;
  return {
    logs: { key, conditions, labels, clients: new NameTable(), targets: null, format, zoneUs },
    question: { rules, windows, target: { requests, clients }, seed, top: top ?? USUAL_TOP },
  };
}

function windowsIn(typed: string | undefined): readonly Micros[] | Failure {
  if (typed === undefined) return new Failure(`--per is needed, ${EXAMPLE}`);
  const windows: Micros[] = [];
  for (const part of typed.split(",")) {
    const perUs = windowIn(part.trim());
    if (perUs === null) return notAWindow("per", part, EXAMPLE);
    if (windows.includes(perUs)) return new Failure(`--per has ${part} twice; remove one`);
    windows.push(perUs);
  }
  return windows;
}

/** A bare number might be a share or a percentage. */
function shareIn(values: Arguments["values"], name: string, usual: number): number | Failure {
  const typed = values.get(name);
  if (typed === undefined) return usual;
  const number = /^(\d+(?:\.\d+)?)\s*%$/.exec(typed.trim())?.[1];
  const percentage = Number(number);
  return number !== undefined && percentage < 100
    ? percentage / 100
    : new Failure(
        `--${name} must be a percentage of at least 0 % and below 100 %, such as 0.1%; got "${typed}"`,
      );
}
