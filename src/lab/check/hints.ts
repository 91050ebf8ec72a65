// One-sentence hints about defaults that decided the result of a run, given only if the run shows the effect. Numbers
// in a hint are from this run. The effect of another setting is stated without numbers: with it, clients that retry
// would have sent other requests.
import { specCalled } from "../../limiter/spec/by-algorithm.ts";
import { SECOND, formatDuration, micros } from "../../kit/units.ts";
import type { BudgetText, History } from "../scenario/history.ts";
import type { Variant } from "../scenario/types.ts";
import { answerTo, hasReachedLimiter } from "./rejections.ts";

interface BusyKey {
  readonly budget: BudgetText;
  readonly timesUs: readonly number[]; // times of requests that reached a limiter, from the start of the run
  readonly admitted: number;
  readonly spanUs: number;
}

export function hintsOf({ world, expectations }: Variant, history: History): readonly string[] {
  const busiest = busiestKey(history);
  if (busiest === null || world.configuration === null) return [];
  const { options } = world.configuration;
  const { key, budget } = busiest;
  const spec = specCalled(budget.algorithm);
  if (spec === undefined) return [];
  if (spec.countsAttempts) return hintAtRefusedAttempts(requestsOfKey(history, key, budget));
  if (spec.options.includes("burst") && options.burst === 1)
    return hintAtBurst(requestsOfKey(history, key, budget));
  const isWindowExpected = expectations.some(
    ({ measure }) => measure.kind === "maxInAnyWindow" && measure.windowUs === budget.perUs,
  );
  return spec.options.includes("fixedWindowStart") &&
    options.fixedWindowStart === "first_request" &&
    isWindowExpected
    ? hintAtWindowStart(requestsOfKey(history, key, budget), history.header.epochUs)
    : [];
}

/** The key and budget with the most refusals; null if no request was refused, or if that budget is not a key's. */
function busiestKey({
  header,
  requests,
}: History): { readonly key: number; readonly budget: BudgetText } | null {
  const refused = new Map<number, number>();
  const width = header.budgets.length + 1;
  for (let row = 0; row < requests.length; row++) {
    if (answerTo(requests, row) !== "refused") continue;
    const place = (requests.key[row]! + 1) * width + requests.budget[row]! + 1;
    refused.set(place, (refused.get(place) ?? 0) + 1);
  }
  const [first] = [...refused].toSorted(([, a], [, b]) => b - a);
  if (first === undefined) return null;
  const key = Math.floor(first[0] / width) - 1;
  const budget = header.budgets[(first[0] % width) - 1];
  return budget === undefined || !budget.scope.startsWith("key") ? null : { key, budget };
}

/** The key's requests that reached a limiter. Called only for a hint, because a run may have a million requests. */
function requestsOfKey({ requests }: History, key: number, budget: BudgetText): BusyKey {
  const timesUs: number[] = [];
  let admitted = 0;
  for (let row = 0; row < requests.length; row++) {
    if (requests.key[row] !== key || !hasReachedLimiter(requests, row)) continue;
    timesUs.push(requests.toUs[row]!);
    if (answerTo(requests, row) === "admitted") admitted++;
  }
  timesUs.sort((a, b) => a - b);
  return { budget, timesUs, admitted, spanUs: (timesUs.at(-1) ?? 0) - (timesUs[0] ?? 0) };
}

/** How many of these requests a token bucket would have admitted: it does not count refusals. */
function tokenBucketCount({ budget: { rate, perUs }, timesUs }: BusyKey): number {
  let tokens = rate;
  let lastUs = timesUs[0] ?? 0;
  let admitted = 0;
  for (const us of timesUs) {
    tokens = Math.min(rate, tokens + ((us - lastUs) * rate) / perUs);
    lastUs = us;
    if (tokens < 1) continue;
    tokens--;
    admitted++;
  }
  return admitted;
}

const count = (value: number): string => Math.round(value).toLocaleString("en-US");

function hintAtRefusedAttempts(seen: BusyKey): readonly string[] {
  const { budget, timesUs, admitted, spanUs } = seen;
  if (spanUs < 3 * budget.perUs || admitted * 2 > tokenBucketCount(seen)) return [];
  return [
    `${budget.algorithm} counts refused attempts too, so a client that stays above its limit stays refused: ${count(admitted)} of ${count(timesUs.length)} were admitted; token_bucket counts only admitted attempts: a matrix with both algorithms shows the difference`,
  ];
}

function hintAtBurst(seen: BusyKey): readonly string[] {
  const { budget, timesUs, admitted } = seen;
  if (admitted * 2 > tokenBucketCount(seen)) return [];
  const everyUs = micros(Math.round(budget.perUs / budget.rate));
  return [
    `${budget.algorithm} without burst admits one request every ${formatDuration(everyUs)}: ${count(admitted)} of ${count(timesUs.length)} were admitted; gateway: { burst: rate } admits ${budget.rate} at once`,
  ];
}

/** A hint if clock windows would admit more than `rate` of these requests within one `per`, by two windows together. */
function hintAtWindowStart(
  { budget: { algorithm, rate, perUs }, timesUs }: BusyKey,
  epochUs: number,
): readonly string[] {
  const taken = new Map<number, number>();
  const admitted = timesUs.filter((us) => {
    const window = Math.floor((epochUs + us) / perUs);
    const before = taken.get(window) ?? 0;
    taken.set(window, before + 1);
    return before < rate;
  });
  let most = 0;
  for (let end = 0, start = 0; end < admitted.length; end++) {
    while (admitted[start]! <= admitted[end]! - perUs) start++;
    most = Math.max(most, end - start + 1);
  }
  const per = perUs === SECOND ? "1s" : formatDuration(perUs);
  return most <= rate
    ? []
    : [
        `a window of ${algorithm} starts with the first request; with gateway: { fixed_window_start: clock } two of its windows can admit ${count(2 * Math.floor(rate))} within ${per}`,
      ];
}
