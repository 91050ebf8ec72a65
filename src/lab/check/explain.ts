// Explains why a request was refused: what filled the refusing budget, and when the request would have been admitted.
// The oracle recomputes this from the history of the budgets, without the core.
import { SPECS } from "../../limiter/spec/by-algorithm.ts";
import { fillersOf, type LevelAnswer } from "../oracle/answer.ts";
import { isDecided, type Expected } from "../oracle/expected.ts";
import type { Entry } from "../oracle/entries.ts";
import { isLog, isSmoothed, type OracleLevel } from "../oracle/levels.ts";
import { historyEvaluator } from "../oracle/evaluate-history.ts";
import { findLastChange } from "../oracle/since.ts";
import { walk, type Visit } from "../oracle/walk.ts";
import { worldOf, type OracleWorld } from "../oracle/world.ts";
import { formatDuration, micros, SECOND, type Micros } from "../../kit/units.ts";
import { explainShare, shareText, type ShareExplanation } from "./explain-share.ts";
import { answerTo, causeOf } from "./rejections.ts";
import { wasDelayed } from "./select.ts";
import type { ChangingCall } from "../scenario/after-calls.ts";
import {
  NO_GATEWAY,
  isLost,
  REASONS,
  type History,
  type DecisionReason,
} from "../scenario/history.ts";
import { many } from "../../kit/reading/legible.ts";
import type { Variant } from "../scenario/types.ts";

/** An earlier request that the budget counted. A log counts refused requests too (ALG-3). */
export interface FilledBy {
  readonly row: number;
  readonly stampUs: Micros;
  readonly status: number;
  readonly refused: boolean;
  readonly certain: boolean;
}

export interface Explanation {
  readonly row: number;
  readonly stampUs: Micros;
  readonly status: number;
  readonly reason: DecisionReason;
  /** Whether the specification allows the decision; "open" if it allows both decisions. */
  readonly agrees: "yes" | "no" | "open";
  readonly expected: Expected | null; // null: the request is lost, so its decision is unknown
  /** Null if no budget refused. */
  readonly budget: {
    readonly name: string;
    readonly scope: string;
    readonly algorithm: string;
    readonly rate: number;
    readonly perUs: Micros;
    readonly counted: string; // what the budget had counted when the request was decided
  } | null;
  readonly gateway: number | null; // null: no gateway received the request
  /** Why the gateway enforces a part of the limit; null: it enforces the whole limit, or no limit refused. */
  readonly share: ShareExplanation | null;
  /** The configuration change that set the refusing limit; null: the limit never changed. */
  readonly since: { readonly atUs: Micros; readonly call: ChangingCall | null } | null;
  readonly because: readonly string[];
  readonly text: string;
  readonly filledBy: readonly FilledBy[];
  /** When the same request would first have been admitted if no other request were sent; null: never, or uncertain. */
  readonly passesAtUs: Micros | null;
  readonly missedByUs: Micros | null;
}

export function explain(history: History, world: OracleWorld, row: number): Explanation {
  return explainRows(history, world, [row]).get(row)!;
}

/** Empty if the configuration has errors. */
export function explainVariant(
  variant: Variant,
  history: History,
  rows: Iterable<number>,
): ReadonlyMap<number, Explanation> {
  const world = worldOf(variant, history);
  return world === null ? new Map() : explainRows(history, world, rows);
}

/** One walk of the oracle explains all rows. */
export function explainRows(
  history: History,
  world: OracleWorld,
  rows: Iterable<number>,
): ReadonlyMap<number, Explanation> {
  const wanted = new Set(rows);
  for (const row of wanted)
    if (!Number.isInteger(row) || row < 0 || row >= history.requests.length)
      throw new Error(`row ${row} of ${history.requests.length}`);
  const explanations = new Map<number, Explanation>();
  if (wanted.size === 0) return explanations;
  const expectedIn = historyEvaluator(history, world);
  walk(
    history,
    world,
    (visit) =>
      explanations.set(
        visit.entry.moment.row,
        explanationOf(history, world, visit, expectedIn(visit)),
      ),
    () => {},
    (row) => wanted.has(row),
  );
  return explanations;
}

function explanationOf(
  history: History,
  world: OracleWorld,
  visit: Visit,
  expected: Expected,
): Explanation {
  const { entry, answers, context } = visit;
  const { row, loUs } = entry.moment;
  const { requests } = history;
  const reason = REASONS[requests.reason[row]!]!;
  const status = requests.status[row]!;
  const hasNoResponse = isLost(status);
  // The decision of a lost request is unknown, so it cannot disagree (LIM-C18).
  const agrees =
    hasNoResponse || !isDecided(expected)
      ? "open"
      : (reason === "none") === expected.admit
        ? "yes"
        : "no";
  const facts = {
    row,
    stampUs: micros(hasNoResponse ? requests.sentUs[row]! : loUs),
    status,
    reason,
    agrees,
    expected: hasNoResponse ? null : expected,
    gateway: requests.gateway[row] === NO_GATEWAY ? null : requests.gateway[row]!,
  } as const;
  // These ids come from the limiter, so that every text about a budget has the same ids.
  const because = hasNoResponse
    ? ["LIM-C18"]
    : (history.header.budgets[requests.budget[row]!]?.because ?? []);
  const refuser = reason === "rate" || reason === "quota" ? refuserOf(history, visit) : null;
  if (refuser === null) {
    return {
      ...facts,
      budget: null,
      share: null,
      since: null,
      because,
      text:
        whyUndecided(history, row, agrees, expected) ??
        `${withoutIds(expected.why, answers)}${turnText(history, row)}`,
      filledBy: [],
      passesAtUs: null,
      missedByUs: null,
    };
  }

  const { level } = refuser;
  const passesAtUs = firstPassUs(visit);
  const filledBy = fillersOf(level, context).map(({ attempt, counts }) => ({
    row: attempt.row,
    stampUs: micros(attempt.loUs),
    status: requests.status[attempt.row]!,
    refused: attempt.trace === "refused",
    certain: counts === "yes",
  }));
  const name = history.header.budgets[requests.budget[row]!]?.name ?? level.budget;
  const { rate, perUs } = level.limit;
  const share = explainShare(history, world, entry, level);
  const counted = `${usageText(refuser, entry.cost)}${share === null ? "" : `; ${shareText(share, rate, shareOf(level, entry), world.heartbeatUs)}`}`;
  const since = findLastChange(level, entry, history, world);
  return {
    ...facts,
    budget: {
      name,
      scope: level.scope,
      algorithm: level.algorithm,
      rate,
      perUs,
      counted,
    },
    share,
    since: since === null ? null : { atUs: since.atUs, call: since.call },
    because,
    text: sentence({ level, counted, filledBy, passesAtUs, nowUs: loUs, cost: entry.cost }),
    filledBy,
    passesAtUs,
    missedByUs: passesAtUs === null ? null : micros(passesAtUs - loUs),
  };
}

/** Why no limit decided the request; null: a limit did. */
function whyUndecided(
  history: History,
  row: number,
  agrees: Explanation["agrees"],
  { why }: Expected,
): string | null {
  const { sentUs, answeredUs } = history.requests;
  switch (answerTo(history.requests, row)) {
    case "lost": {
      const [sent, known] = [sentUs[row]!, answeredUs[row]!].map((us) =>
        formatDuration(micros(us)),
      );
      const when = sent === known ? `at ${sent}` : `at ${sent}, and lost at ${known}`;
      return `Lost, sent ${when}: ${causeOf(history, row)}.`;
    }
    case "rejected":
      return `Rejected before any limit: ${causeOf(history, row)}${agrees === "yes" ? "" : `; by the specification ${why}`}.`;
    case "admitted":
    case "refused":
      return null;
  }
}

const turnText = ({ requests }: History, row: number): string =>
  wasDelayed(requests, row)
    ? `. It waited ${formatDuration(micros(requests.delayUs[row]!))} for its turn`
    : "";

/** Removes the requirement ids from the oracle's sentence: the report lists those of the limiter. */
const withoutIds = (why: string, answers: readonly LevelAnswer[]): string =>
  answers.reduce((text, { level }) => text.replaceAll(` (${level.because.join(", ")})`, ""), why);

/** The level that refused according to the history, else the first that refuses by the specification. */
function refuserOf({ header, requests }: History, { entry, answers }: Visit): LevelAnswer | null {
  const scope = header.budgets[requests.budget[entry.moment.row]!]?.scope;
  return (
    answers.find(({ level }) => level.scope === scope) ??
    answers.find(({ answer }) => answer.refuse) ??
    null
  );
}

/**
 * When the request would first have been admitted. That is when an attempt leaves a window, a window ends, a debt is
 * paid or a hold-off ends, so the request is tried only at such instants.
 */
function firstPassUs(visit: Visit): Micros | null {
  const { entry, answers, context, run } = visit;
  const nowUs = entry.moment.loUs;
  const candidates = answers.flatMap(({ level, ledger, answer }) => {
    // `waitUs` is the wait until a counter admits. For logs and open results, attempts that leave the window decide.
    const isByLeaving = isLog(level) || answer.pass || answer.waitUs === null;
    const leaving = (isByLeaving ? fillersOf(level, context) : []).map(
      ({ attempt }) => attempt.hiUs + level.limit.perUs,
    );
    const holdUs = run.get(ledger)!.record?.holdUntilUs ?? Number.NaN;
    return [...leaving, nowUs + (answer.waitUs?.toUs ?? Number.NaN), holdUs];
  });
  const later = [...new Set(candidates)]
    .filter((us) => us > nowUs && Number.isFinite(us))
    .toSorted((a, b) => a - b);
  const passes = (us: number): boolean =>
    visit.answersAt(us).every(({ answer }) => answer.pass && !answer.refuse);
  const first = answers.some(({ level }) => isSmoothed(level))
    ? later.find(passes) // an allowance may also fall
    : firstOf(later, passes);
  return first === undefined ? null : micros(first);
}

/** Binary search: without other requests, a budget that admits at one time admits at all later ones. */
function firstOf(times: readonly number[], passes: (us: number) => boolean): number | undefined {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(times[middle]!)) high = middle;
    else low = middle + 1;
  }
  return times[low];
}

const DEBT = /^(.+) requests? owed, (-?\d+) may be$/;

/** How much of the level's budget was used. A debt is described as used tokens of a bucket. */
function usageText({ level, answer }: Pick<LevelAnswer, "level" | "answer">, cost: number): string {
  const [, owed, mayBe] =
    SPECS[level.algorithm].counts === "debt" ? (DEBT.exec(answer.why) ?? []) : [];
  return owed === undefined || mayBe === undefined
    ? answer.why
    : `${owed} of ${many(Number(mayBe) + cost, "token")} used, and ${cost === 1 ? "a request needs a whole one" : `this request needs ${cost}`}`;
}

/** The units that one gateway may admit. */
function shareOf({ algorithm, limit }: OracleLevel, { gateways, configuration }: Entry): number {
  const { burst, queue, fixedWindowStart } = configuration.options;
  return SPECS[algorithm].budget({ ...limit, gateways, burst, queue, fixedWindowStart });
}

interface RefusalFacts extends Pick<Explanation, "filledBy" | "passesAtUs"> {
  readonly level: OracleLevel;
  readonly counted: string;
  readonly nowUs: number;
  readonly cost: number;
}

function sentence({ level, counted, filledBy, passesAtUs, nowUs, cost }: RefusalFacts): string {
  const costs = cost === 1 ? "" : ` It costs ${cost} units.`;
  const refused = filledBy.filter((one) => one.refused).length;
  const among = refused > 0 ? `, ${refused} of them refused ones` : "";
  const when =
    passesAtUs === null
      ? "It would not have passed later either"
      : `It would have passed ${(passesAtUs - nowUs) / SECOND} s later`;
  return `The ${limitText(level)} refused: ${counted}.${costs} Filled by ${many(filledBy.length, "earlier request")}${among}. ${when}.`;
}

/** A quota has no algorithm of its own, and may never renew. */
function limitText({ scope, limit: { rate, perUs }, algorithm }: LevelAnswer["level"]): string {
  const per = Number.isFinite(perUs) ? ` per ${formatDuration(perUs)}` : " that never renews";
  if (scope === "quota") return `quota of ${rate}${per}`;
  return scope === "quota-api"
    ? `quota of ${rate}${per} at this API`
    : `${scope} limit of ${rate}${per} (${algorithm})`;
}
