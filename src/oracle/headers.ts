// HDR-C2: what the headers of an answer tell of limits.
import { SECOND } from "../core/units.ts";
import type { LevelAnswer } from "./answer.ts";
import { isInSteps } from "./book.ts";
import type { Entry } from "./entries.ts";
import type { Headers, Told } from "./expected.ts";
import type { Left, Span } from "./level-answer.ts";
import { isQuota } from "./levels.ts";
import { isLostOnTheWay } from "./retry-after.ts";
import type { OracleWorld } from "./world.ts";

interface Judged {
  readonly entry: Entry;
  readonly answers: readonly LevelAnswer[];
  /** Those that may be the first to refuse; none where the request is admitted. */
  readonly refusers: readonly LevelAnswer[];
}

/** Null where the requirement leaves it open, or the timing. */
export function headersOf(
  { entry, answers, refusers }: Judged,
  world: OracleWorld,
  epochUs: number,
): Headers | null {
  if (isLostOnTheWay(entry, world)) return null;
  const { options } = entry.configuration;
  const rates = answers.filter(({ level }) => !isQuota(level));
  const refusing = refusers.filter(({ level }) => !isQuota(level));
  const isOfQuota = refusers.length > refusing.length;
  if (isOfQuota && refusing.length > 0) return null;
  // What the levels before a quota took, and whether it is given back before the answer, is not said.
  const levels = answers.map(({ level }) => level);
  if (isOfQuota && rates.length > 0 && isInSteps(levels, options)) return null;
  const budgets =
    refusing.length > 0
      ? refusing.map((answer) => toldOf(answer, "refused", entry, epochUs))
      : tightest(
          rates.map((answer) => toldOf(answer, isOfQuota ? "visited" : "admitted", entry, epochUs)),
        );
  const known = budgets.filter((told) => told !== null);
  return known.length < budgets.length ? null : { form: options.rateLimitHeaders, budgets: known };
}

/** Of an answer that no limit had a part in. */
export const noHeaders = ({ configuration }: Entry): Headers => ({
  form: configuration.options.rateLimitHeaders,
  budgets: [],
});

interface Candidate extends Told {
  readonly resetUs: Span;
}

function toldOf(
  { level, answer }: LevelAnswer,
  left: Left,
  { moment }: Entry,
  epochUs: number,
): Candidate | null {
  const standing = answer.standing(left);
  if (standing === null) return null;
  const { limit, remaining, resetUs } = standing;
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
    resetInS: seconds(resetUs.from - moment.hiUs, resetUs.to - moment.loUs),
  };
}

/** The fewest remaining, then the latest reset: all that may be it. */
function tightest(all: readonly (Candidate | null)[]): readonly (Candidate | null)[] {
  const known = all.filter((one) => one !== null);
  if (known.length < all.length) return all;
  const isTighter = (a: Candidate, b: Candidate): boolean =>
    a.remaining.to < b.remaining.from ||
    (a.remaining.to === b.remaining.from && a.resetUs.from > b.resetUs.to);
  return known.filter((one) => !known.some((other) => isTighter(other, one)));
}
