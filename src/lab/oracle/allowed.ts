// Computes the allowed responses from the answers of the levels.
import type { OracleOptions } from "./configured.ts";
import type { LevelAnswer } from "./answer.ts";
import type { Entry } from "./entries.ts";
import type { Expected } from "./expected.ts";
import { headersOf, noHeaders } from "./headers.ts";
import { isCountedHere, isQuota } from "./levels.ts";
import { computeWithoutStore } from "./outage.ts";
import { retryAfterOf } from "./retry-after.ts";
import type { OracleWorld } from "./world.ts";
import type { Span } from "./level-answer.ts";
import { SPECS } from "../../limiter/spec/by-algorithm.ts";

const EITHER: Expected = {
  admit: true,
  refuse: true,
  refusalStatus: null,
  refusalScope: null,
  retryAfter: null,
  headers: null,
  delayUs: null,
  why: "",
};

export function computeExpected(
  entry: Entry,
  answers: readonly LevelAnswer[],
  world: OracleWorld,
  epochUs: number,
): Expected {
  const { admission, outage, configuration } = entry;
  if (entry.between)
    return { ...EITHER, why: "a change of configuration came while the request was on its way" };
  if (admission.kind === "open") return { ...EITHER, why: admission.why };
  if (admission.kind === "rejected")
    return {
      ...EITHER,
      admit: false,
      refusalStatus: unique(admission.statuses),
      headers: noHeaders(entry),
      why: admission.why,
    };
  if (outage !== "none" && !answers.every(({ level }) => isCountedHere(level))) {
    const here = answers.filter(({ level }) => isCountedHere(level));
    return here.length === 0 || outage === "maybe"
      ? computeWithoutStore(outage, configuration.options)
      : orWithoutStore(computeFromLevels(entry, here, world, epochUs), configuration.options);
  }
  return computeFromLevels(entry, answers, world, epochUs);
}

/** In an outage, budgets in memory stay enforced (ALG-C4); `on_store_error` decides for all other budgets (ALG-C8). */
function orWithoutStore(here: Expected, options: OracleOptions): Expected {
  const without = computeWithoutStore("certain", options);
  return {
    ...EITHER,
    admit: here.admit && without.admit,
    refuse: here.refuse || without.refuse,
    refusalStatus: without.refuse ? null : here.refusalStatus,
    why: `${here.why}; ${without.why}`,
  };
}

function computeFromLevels(
  entry: Entry,
  answers: readonly LevelAnswer[],
  world: OracleWorld,
  epochUs: number,
): Expected {
  const refusers = firstRefusers(answers);
  const admit = answers.every(({ answer }) => answer.pass);
  const refuse = refusers.length > 0;
  const why =
    (refuse ? refusers : answers)
      .map(({ level, answer }) => `${level.scope}: ${answer.why} (${level.because.join(", ")})`)
      .join("; ") || "no limit applies";
  const statuses = new Set(refusers.map(({ level }) => (isQuota(level) ? 403 : 429)));
  const delayUs = longestTurn(answers);
  const waits =
    entry.admission.kind === "served" && entry.admission.client?.grant.isThrottled === true;
  if (waits && refuse)
    return { ...EITHER, why: `a throttled request waits and is evaluated again (LIM-C9); ${why}` };
  return {
    admit,
    refuse,
    refusalStatus: unique([...statuses]),
    refusalScope: refusers.length === 1 ? refusers[0]!.level.scope : null,
    retryAfter: admit ? null : retryAfterOf(refusers[0]!, answers, entry, world),
    headers:
      admit && refuse
        ? null
        : headersOf(
            { entry, answers, refusers, delayUs: refuse ? NO_DELAY : delayUs },
            world,
            epochUs,
          ),
    delayUs,
    why,
  };
}

const NO_DELAY: Span = { from: 0, to: 0 };

/** The delay of a request, which leaves at the latest of its turns at all levels (ALG-C10). Null: a turn is unknown. */
function longestTurn(answers: readonly LevelAnswer[]): Span | null {
  const turns = answers
    .filter(({ level }) => SPECS[level.algorithm].delays)
    .map(({ answer }) => answer.turnUs);
  if (!turns.every((turn) => turn !== undefined)) return null;
  return {
    from: Math.max(0, ...turns.map(({ from }) => from)),
    to: Math.max(0, ...turns.map(({ to }) => to)),
  };
}

/** Levels that may be the first to refuse: all earlier levels may admit. Quotas are evaluated together (LIM-C9). */
function firstRefusers(answers: readonly LevelAnswer[]): LevelAnswer[] {
  const end = answers.findIndex(({ answer }) => !answer.pass);
  const last = answers[end];
  return answers
    .filter(
      ({ level }, index) =>
        last === undefined || index <= end || (isQuota(last.level) && isQuota(level)),
    )
    .filter(({ answer }) => answer.refuse);
}

const unique = <T>(values: readonly T[]): T | null => (values.length === 1 ? values[0]! : null);
