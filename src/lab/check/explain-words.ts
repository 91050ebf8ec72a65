// The sentence that answers why a request got its response.
import { perWords, rateWords } from "../../kit/reading/periods.ts";
import { countText, thousands } from "../../kit/reading/legible.ts";
import { durationWords } from "../../kit/units.ts";
import { SPECS } from "../../limiter/spec/by-algorithm.ts";
import type { LevelAnswer } from "../oracle/answer.ts";
import type { Entry } from "../oracle/entries.ts";
import type { OracleAnswer, Span, Usage } from "../oracle/level-answer.ts";
import { isQuota, isSmoothed, type OracleLevel } from "../oracle/levels.ts";
import { formatStatus } from "../scenario/expectation.ts";
import type { History } from "../scenario/history.ts";
import { shutText, type ShutBudget } from "./explain-later.ts";
import { findPolicy } from "./explain-policy.ts";
import type { ShareExplanation } from "./explain-share.ts";

/** The key or the address that sent a request; without both, its flow. */
export function senderOf({ header, requests }: History, row: number): string {
  const flow = header.flows[requests.flow[row]!]!;
  const address = requests.address[row]!;
  return flow.as ?? (address < 0 ? null : header.addresses![address]!) ?? `flow ${flow.name}`;
}

/** How much of the level's budget was used. A debt is described as used tokens of a bucket. */
export function usageText(
  { level, answer: { usage, why } }: Pick<LevelAnswer, "level" | "answer">,
  cost: number,
): string {
  if (SPECS[level.algorithm].counts !== "debt" || usage?.of !== "owed") return why;
  return `${tokensText(usage, cost)} of ${countText(usage.allowed, "token")} used, and ${needText(cost)}`;
}

const needText = (cost: number): string =>
  cost === 1 ? "a request needs a whole one" : `this request needs ${thousands(cost)}`;

const spanText = ({ from, to }: Span): string =>
  from === to ? thousands(from) : `${thousands(from)} to ${thousands(to)}`;

/** The oracle rounds owed requests, and the rounded number may seem to leave enough. */
const tokensText = (usage: Usage, cost: number): string =>
  usage.from === usage.to && usage.to + cost <= usage.allowed
    ? `a little more than ${spanText(usage)}`
    : spanText(usage);

interface Response {
  readonly sender: string;
  readonly status: number;
}

interface RefusalFacts extends Response {
  readonly level: OracleLevel;
  readonly policy: string | null;
  readonly answer: OracleAnswer;
  readonly cost: number;
  readonly share: ShareExplanation | null;
  readonly missedByUs: number | null;
  readonly shut: ShutBudget | null;
}

/** Such as "alice got 429: all 5 requests per second for this key were used; ... 250 ms later". */
export function refusalSentence(facts: RefusalFacts): string {
  const { missedByUs, cost, answer, shut } = facts;
  const when =
    missedByUs === null
      ? answer.waitUs?.fromUs === Number.POSITIVE_INFINITY
        ? "no wait would have admitted it"
        : "when it would have been admitted is not certain"
      : `the same request would have been admitted ${duration(missedByUs)} later${shutText(shut, answer.usage?.of === "attempts")}`;
  const costs =
    cost === 1 || answer.usage?.of === "owed" ? "" : `, and this request costs ${thousands(cost)}`;
  return `${gotText(facts)}: ${describeUsage(facts)}${costs}; ${when}.`;
}

const gotText = ({ sender, status }: Response): string => `${sender} got ${formatStatus(status)}`;

/** Such as "5 per second for this key at this API", and the policy if it comes from one. */
export const describeLimit = (level: OracleLevel, policy: string | null): string =>
  `${isQuota(level) ? quotaWords(level) : rateWords(level.limit.rate, level.limit.perUs)} ${holderText(level, policy)}`;

const quotaWords = ({ limit: { rate, perUs } }: OracleLevel): string =>
  `a quota of ${thousands(rate)}${Number.isFinite(perUs) ? ` per ${perWords(perUs)}` : ""}`;

function describeUsage({ level, policy, answer, cost, share }: RefusalFacts): string {
  const { usage, why } = answer;
  const holder = holderText(level, policy);
  if (usage === undefined)
    return isQuota(level)
      ? `the quota of ${thousands(level.limit.rate)} ${holder} was used up`
      : why === ADMITS_NOTHING
        ? `the limit of ${describeLimit(level, policy)} admits nothing`
        : `the limit of ${describeLimit(level, policy)} was used up (${why})`;
  const noun = cost === 1 ? "request" : "unit";
  switch (usage.of) {
    case "admitted":
      return `${partText(usage, spanText(usage), amountText(level, usage, noun))}${share === null ? "" : ` that gateway ${share.gateway} admits`} ${holder} ${beText(usage)} used`;
    case "attempts":
      return `${spanText(usage)} ${nounOf(usage, noun)} ${beText(usage)} counted in the last ${perWords(level.limit.perUs)}, and ${describeAllowance(level, usage)} ${holder}`;
    case "owed":
      return `${partText(usage, tokensText(usage, cost), countText(usage.allowed, "token"))} ${holder} ${beText(usage)} used, and ${needText(cost)}`;
    case "waiting":
      if (usage.allowed === 1) return `no request may wait in the queue ${holder}`;
      return `${spanText(usage)} ${nounOf(usage, "request")} ${beText(usage)} before it in the queue ${holder}, and at most ${thousands(usage.allowed - 1)} may wait`;
  }
}

/** "all 5 tokens", "4.2 of the 5 tokens", "the only token". */
function partText({ from, to, allowed }: Usage, used: string, amount: string): string {
  if (from !== to || to !== allowed) return `${used} of the ${amount}`;
  return allowed === 1 ? `the only${amount.slice(1)}` : `all ${amount}`;
}

/** What the budgets had counted before a request that none of them refused; null: not all of them have a number. */
export function stateText(answers: readonly LevelAnswer[], entry: Entry): string | null {
  const states = answers.flatMap(({ level, answer: { usage } }) =>
    usage === undefined ? [] : describeState(level, usage, findPolicy(level, entry), entry.cost),
  );
  return states.length === 0 || states.length < answers.length
    ? null
    : `before it, ${states.join("; ")}`;
}

/** "all 5 requests per second for this key were left", "2 of the 5 tokens for this key were used". */
function describeState(
  level: OracleLevel,
  usage: Usage,
  policy: string | null,
  cost: number,
): string {
  const holder = holderText(level, policy);
  const { to, allowed } = usage;
  if (usage.of === "waiting")
    return `${to === 0 ? "no request" : `${spanText(usage)} ${nounOf(usage, "request")}`} ${to === 0 ? "was" : beText(usage)} in the queue ${holder}`;
  const amount =
    usage.of === "owed"
      ? countText(allowed, "token")
      : amountText(level, usage, cost === 1 ? "request" : "unit");
  if (to === 0)
    return allowed === 1
      ? `the only${amount.slice(1)} ${holder} was left`
      : `all ${amount} ${holder} were left`;
  if (usage.of === "owed") {
    const left = {
      ...usage,
      from: subtractTokens(allowed, to),
      to: subtractTokens(allowed, usage.from),
    };
    const count = left.to === 0 ? "none" : spanText(left);
    return `${count} of the ${amount} ${holder} ${left.to === 0 ? "was" : beText(left)} left`;
  }
  return `${spanText(usage)} of the ${amount} ${holder} ${beText(usage)} ${usage.of === "attempts" ? "counted" : "used"}`;
}

/** Without the noise of a difference of fractions. */
const subtractTokens = (allowed: number, used: number): number =>
  Math.round(1_000 * Math.max(0, allowed - used)) / 1_000;

const ADMITS_NOTHING = "the limit admits nothing";

const isOne = ({ from, to }: Usage): boolean => from === 1 && to === 1;
const beText = (usage: Usage): string => (isOne(usage) ? "was" : "were");
const nounOf = (usage: Usage, noun: string): string => (isOne(usage) ? noun : `${noun}s`);

function amountText(level: OracleLevel, { allowed }: Usage, noun: string): string {
  const { perUs } = level.limit;
  const count = countText(allowed, noun);
  if (!isQuota(level)) return `${count} per ${perWords(perUs)}`;
  return `${count} ${Number.isFinite(perUs) ? `per ${perWords(perUs)}` : "ever"} in the quota`;
}

/** A smoothed limit has a present allowance below its rate (SMO-C1). */
const describeAllowance = (level: OracleLevel, { allowed }: Usage): string =>
  isSmoothed(level)
    ? `the allowance is at present ${thousands(allowed)} of ${thousands(level.limit.rate)}`
    : `${thousands(allowed)} ${allowed === 1 ? "is" : "are"} allowed`;

/** Who spends the budget, and by which policy: "for this key at this API". */
function holderText(level: OracleLevel, policy: string | null): string {
  return `${clientsText(level)}${policy === null ? "" : ` under policy "${policy}"`}`;
}

function clientsText({ scope, holder, because }: OracleLevel): string {
  if (holder === "")
    return scope === "api-endpoint"
      ? "for all clients of this endpoint"
      : "for all clients of this API";
  const client = because.includes("LIM-11")
    ? "for all keys that its pattern counts together"
    : because.includes("LIM-C17")
      ? "for this client"
      : "for this key";
  switch (scope) {
    case "api-endpoint":
    case "key-endpoint":
      return `${client} at this endpoint`;
    case "key-api":
    case "quota-api":
      return `${client} at this API`;
    case "api":
    case "key":
    case "quota":
      return client;
  }
}

/** `specified` is what the specification has instead; null: it agrees. */
export const rejectionSentence = (
  response: Response,
  cause: string,
  specified: string | null,
): string =>
  `${gotText(response)} before any limit: ${cause}${specified === null ? "" : `; by the specification ${specified}`}.`;

export function lossSentence(
  sender: string,
  cause: string,
  sentUs: number,
  answeredUs: number,
): string {
  const when =
    sentUs === answeredUs
      ? `sent at ${duration(sentUs)}`
      : `sent at ${duration(sentUs)}, and lost at ${duration(answeredUs)}`;
  return `${sender} got no response: ${cause} (${when}).`;
}

export const admissionSentence = (response: Response, delayUs: number): string =>
  `${gotText(response)}${delayUs === 0 ? "" : ` after a wait of ${duration(delayUs)} for its turn`}: no limit refused it.`;

const duration = (us: number): string => durationWords(Math.round(us));
