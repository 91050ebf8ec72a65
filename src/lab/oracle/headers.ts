// HDR-C2: what the headers of a response report about limits.
import { SECOND } from "../../kit/units.ts";
import type { LevelAnswer } from "./answer.ts";
import { isInSteps } from "./book.ts";
import type { Entry } from "./entries.ts";
import type { ExpectedHeaders, BudgetHeaders } from "./expected.ts";
import type { LevelEffect, Span } from "./level-answer.ts";
import type { Moment } from "./ledger.ts";
import { isQuota } from "./levels.ts";
import { isLostOnTheWay } from "./retry-after.ts";
import type { OracleWorld } from "./world.ts";

interface EvaluatedEntry {
  readonly entry: Entry;
  readonly answers: readonly LevelAnswer[];
  /** Levels that may be the first to refuse; empty if the request is admitted. */
  readonly refusers: readonly LevelAnswer[];
  /** The response's wait for its turn (ALG-C10), subtracted from a reset in seconds; null if the wait is unknown. */
  readonly delayUs: Span | null;
}

/** The expected headers of a response; null if the requirement or the timing allows different headers. */
export function headersOf(
  { entry, answers, refusers, delayUs }: EvaluatedEntry,
  world: OracleWorld,
  epochUs: number,
): ExpectedHeaders | null {
  if (isLostOnTheWay(entry, world) || delayUs === null) return null;
  // A decision is timestamped before its store operation; the response is written after the store's reply.
  const { loUs, hiUs, fromUs, flightToUs } = entry.moment;
  const response = {
    loUs: loUs + delayUs.from,
    hiUs: hiUs + Math.max(delayUs.to, flightToUs - fromUs),
  };
  const { options } = entry.configuration;
  const rates = answers.filter(({ level }) => !isQuota(level));
  const refusing = refusers.filter(({ level }) => !isQuota(level));
  const isOfQuota = refusers.length > refusing.length;
  if (isOfQuota && refusing.length > 0) return null;
  // If a quota refuses, the specification does not state what earlier levels spend or when they are refunded.
  const levels = answers.map(({ level }) => level);
  if (isOfQuota && rates.length > 0 && isInSteps(levels, options)) return null;
  const budgets =
    refusing.length > 0
      ? refusing.map((answer) => budgetHeadersOf(answer, "refused", response, epochUs))
      : tightest(
          rates.map((answer) =>
            budgetHeadersOf(answer, isOfQuota ? "visited" : "admitted", response, epochUs),
          ),
        );
  const known = budgets.filter((budget) => budget !== null);
  return known.length < budgets.length ? null : { form: options.rateLimitHeaders, budgets: known };
}

/** The headers of a response that no limit decided. */
export const noHeaders = ({ configuration }: Entry): ExpectedHeaders => ({
  form: configuration.options.rateLimitHeaders,
  budgets: [],
});

interface Candidate extends BudgetHeaders {
  readonly resetUs: Span;
}

function budgetHeadersOf(
  { level, answer }: LevelAnswer,
  effect: LevelEffect,
  response: Pick<Moment, "loUs" | "hiUs">,
  epochUs: number,
): Candidate | null {
  const state = answer.stateAfter(effect);
  if (state === null) return null;
  const { limit, remaining, resetUs } = state;
  const { perUs } = level.limit;
  const seconds = (fromUs: number, toUs: number): Span => ({
    from: Math.max(0, Math.ceil(fromUs / SECOND)),
    to: Math.max(0, Math.ceil(toUs / SECOND)),
  });
  return {
    name: level.scope,
    windowS: perUs % SECOND === 0 ? perUs / SECOND : null,
    limit,
    remaining,
    resetUs,
    resetUnixS: seconds(epochUs + resetUs.from, epochUs + resetUs.to),
    resetInS: seconds(resetUs.from - response.hiUs, resetUs.to - response.loUs),
  };
}

/** All candidates for the tightest budget: the fewest remaining, then the latest reset. */
function tightest(all: readonly (Candidate | null)[]): readonly (Candidate | null)[] {
  const candidates = all.filter((one) => one !== null);
  if (candidates.length < all.length) return all;
  const isTighter = (a: Candidate, b: Candidate): boolean =>
    a.remaining.to < b.remaining.from ||
    (a.remaining.to === b.remaining.from && a.resetUs.from > b.resetUs.to);
  return candidates.filter((one) => !candidates.some((other) => isTighter(other, one)));
}
