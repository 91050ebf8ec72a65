// Explains why a request was refused: what filled the refusing budget, and when the request would have been admitted.
// The oracle recomputes this from the history of the budgets, without the core.
import { fillersOf, type LevelAnswer } from "../oracle/answer.ts";
import type { Usage } from "../oracle/level-answer.ts";
import type { Entry } from "../oracle/entries.ts";
import { isDecided, type Expected } from "../oracle/expected.ts";
import { isLog, isSmoothed } from "../oracle/levels.ts";
import { historyEvaluator } from "../oracle/evaluate-history.ts";
import { findLastChange } from "../oracle/since.ts";
import { walk, type Visit } from "../oracle/walk.ts";
import { worldOf, type OracleWorld } from "../oracle/world.ts";
import { micros, type Micros } from "../../kit/units.ts";
import {
  admissionSentence,
  describeLimit,
  lossSentence,
  refusalSentence,
  rejectionSentence,
  senderOf,
  stateText,
  usageText,
} from "./explain-words.ts";
import { countShut, type ShutBudget } from "./explain-later.ts";
import { findPolicy } from "./explain-policy.ts";
import { explainShare, shareText, type ShareExplanation } from "./explain-share.ts";
import { answerTo, causeOf } from "./rejections.ts";
import type { ChangingCall } from "../scenario/after-calls.ts";
import {
  NO_GATEWAY,
  isLost,
  REASONS,
  type History,
  type DecisionReason,
} from "../scenario/history.ts";
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
  /** The key or the address that sent the request, or its flow. */
  readonly sender: string;
  readonly cost: number;
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
    readonly policy: string | null; // from which the limit comes; null: from the key itself or from the API
    readonly limit: string; // "5 per second for this key"
    readonly counted: string; // what the budget had counted when the request was decided
    /** The same as numbers; null: no number decides, or it is not known. */
    readonly usage: Usage | null;
  } | null;
  /** Why the request was rejected before any limit, or lost; null: it was neither. */
  readonly cause: string | null;
  readonly gateway: number | null; // null: no gateway received the request
  /** Why the gateway enforces a part of the limit; null: it enforces the whole limit, or no limit refused. */
  readonly share: ShareExplanation | null;
  /** The configuration change that set the refusing limit; null: the limit never changed. */
  readonly since: { readonly atUs: Micros; readonly call: ChangingCall | null } | null;
  readonly because: readonly string[];
  /** The answer as a sentence: who got what, because of which budget, and when the request would have been admitted. */
  readonly text: string;
  /** What its budgets had counted if no limit refused the request. */
  readonly state: string | null;
  readonly filledBy: readonly FilledBy[];
  /** Who sent these requests, the most frequent first. */
  readonly filledBySenders: readonly { readonly sender: string; readonly requests: number }[];
  /** When the same request would first have been admitted if no other request were sent; null: never, or uncertain. */
  readonly passesAtUs: Micros | null;
  readonly missedByUs: Micros | null;
  /** The refusals from then on until the budget admits again in this history; null: it was not kept shut. */
  readonly shut: ShutBudget | null;
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
  const { entry, context } = visit;
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
  const answered = answerTo(requests, row);
  const facts = {
    row,
    sender: senderOf(history, row),
    cost: entry.cost,
    stampUs: micros(hasNoResponse ? requests.sentUs[row]! : loUs),
    status,
    reason,
    agrees,
    expected: hasNoResponse ? null : expected,
    gateway: requests.gateway[row] === NO_GATEWAY ? null : requests.gateway[row]!,
    cause: answered === "rejected" || answered === "lost" ? causeOf(history, row) : null,
  } as const;
  // These ids come from the limiter, so that every text about a budget has the same ids.
  const because = hasNoResponse
    ? ["LIM-C18"]
    : lawsOf(history.header.budgets[requests.budget[row]!]?.because ?? [], entry);
  const refuser = reason === "rate" || reason === "quota" ? refuserOf(history, visit) : null;
  if (refuser === null) {
    return {
      ...facts,
      budget: null,
      share: null,
      since: null,
      because,
      state: facts.cause === null ? stateOf(visit, expected) : null,
      text: textWithoutBudget(history, expected, facts),
      filledBy: [],
      filledBySenders: [],
      passesAtUs: null,
      missedByUs: null,
      shut: null,
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
  const usage = refuser.answer.usage ?? null;
  const counted = `${usageText(refuser, entry.cost)}${share === null ? "" : `; ${shareText(share, rate, world.heartbeatUs)}`}`;
  const policy = findPolicy(level, entry);
  const since = findLastChange(level, entry, history, world);
  const missedByUs = passesAtUs === null ? null : micros(passesAtUs - loUs);
  const shut = passesAtUs === null ? null : countShut(history, row, passesAtUs);
  return {
    ...facts,
    budget: {
      name,
      scope: level.scope,
      algorithm: level.algorithm,
      rate,
      perUs,
      policy,
      limit: describeLimit(level, policy),
      counted,
      usage,
    },
    share,
    since: since === null ? null : { atUs: since.atUs, call: since.call },
    because,
    state: null,
    text: refusalSentence({
      ...facts,
      level,
      policy,
      answer: refuser.answer,
      share,
      missedByUs,
      shut,
    }),
    filledBy,
    filledBySenders: countSenders(history, filledBy),
    passesAtUs,
    missedByUs,
    shut,
  };
}

/**
 * The requirements that explain a budget in this world. Those that order several policies or several endpoints explain
 * nothing of a key or an API that has only one, and those about policies nothing of a key that has none.
 */
function lawsOf(because: readonly string[], { admission }: Entry): readonly string[] {
  if (admission.kind !== "served") return because;
  const { api, client } = admission;
  const policies = client?.key.applyPolicies.length ?? 0;
  const several: Readonly<Record<string, boolean>> = {
    "LIM-5": policies > 1,
    "LIM-C5": policies > 0,
    "EPT-3": api.endpoints.length > 1,
  };
  return because.filter((id) => several[id] ?? true);
}

function countSenders(
  history: History,
  filledBy: readonly FilledBy[],
): Explanation["filledBySenders"] {
  const counts = new Map<string, number>();
  for (const { row } of filledBy) {
    const sender = senderOf(history, row);
    counts.set(sender, (counts.get(sender) ?? 0) + 1);
  }
  return [...counts]
    .map(([sender, requests]) => ({ sender, requests }))
    .toSorted((a, b) => b.requests - a.requests);
}

function textWithoutBudget(
  history: History,
  expected: Expected,
  facts: Pick<Explanation, "row" | "sender" | "status" | "agrees" | "cause">,
): string {
  const { row, agrees, cause } = facts;
  const { requests } = history;
  switch (answerTo(requests, row)) {
    case "lost":
      return lossSentence(facts.sender, cause!, requests.sentUs[row]!, requests.answeredUs[row]!);
    case "rejected":
      return rejectionSentence(facts, cause!, agrees === "yes" ? null : expected.why);
    case "admitted":
    case "refused":
      return admissionSentence(facts, requests.delayUs[row]!);
  }
}

function stateOf({ answers, entry }: Visit, { why }: Expected): string {
  if (entry.outage === "none" && answers.length === 0) return "no limit applies to it";
  const counted = entry.outage === "none" ? stateText(answers, entry) : null;
  return counted ?? `its budgets before it: ${withoutIds(why, answers)}`;
}

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
