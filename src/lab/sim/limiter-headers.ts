// The headers that programs add to their responses: those of refusals by their documentation, those of remaining
// requests by their source, and of Envoy and Spring Cloud Gateway as they were observed.
import type { HeaderField } from "../../gateway/headers.ts";
import { SECOND, type Micros } from "../../kit/units.ts";
import type { ReadRule } from "../implementations/reading.ts";
import type { BudgetToSend } from "../implementations/started-rules.ts";

/** Programs with `Retry-After` in refusals: the seconds until a request can be admitted, rounded up. */
const WITH_RETRY_AFTER: ReadonlySet<string> = new Set(["caddy", "cloudflare", "kong", "traefik"]);

/** `kind` is a program. Kong hides it with the headers of remaining requests. */
export const sendsRetryAfter = (kind: string, { sendsRemaining }: SendingRule): boolean =>
  WITH_RETRY_AFTER.has(kind) && (kind !== "kong" || sendsRemaining === true);

type SendingRule = Pick<ReadRule, "sharesCounters" | "sendsRemaining">;

/** Envoy marks refusals of a service for all its instances, and none of its local limits. */
const OF_A_SERVICE: readonly HeaderField[] = [["x-envoy-ratelimited", "true"]];

/** The headers that do not depend on the request. */
export const headersOfRefusal = (
  kind: string,
  { sharesCounters }: SendingRule,
): readonly HeaderField[] =>
  kind === "envoy-ratelimit" || (kind === "envoy-gateway" && sharesCounters === true)
    ? OF_A_SERVICE
    : [];

/** The budgets of one request, at least one, after its decision. `refusedBy`: the rule that refused it. */
interface SentBudgets {
  readonly budgets: readonly BudgetToSend[];
  readonly refusedBy: ReadRule | null;
  readonly atUs: Micros;
}

const secondsUntil = (resetUs: number, atUs: Micros): number =>
  Math.max(0, Math.ceil((resetUs - atUs) / SECOND));

const PERIODS: ReadonlyMap<number, string> = new Map([
  [1, "Second"],
  [60, "Minute"],
  [3_600, "Hour"],
  [86_400, "Day"],
  [2_592_000, "Month"],
  [31_536_000, "Year"],
]);

/** A period of the plugin rate-limiting has a name, any other window its seconds. */
const periodOf = ({ limit: { perUs } }: ReadRule): string =>
  PERIODS.get(perUs / SECOND) ?? `${perUs / SECOND}`;

/** The budget of Kong with the fewest requests; of two, the one with the longer window. */
const fewest = (one: BudgetToSend, another: BudgetToSend): BudgetToSend =>
  another.remaining < one.remaining ||
  (another.remaining === one.remaining && another.rule.limit.perUs > one.rule.limit.perUs)
    ? another
    : one;

function headersOfKong({ budgets, atUs }: SentBudgets): readonly HeaderField[] {
  const { rule, limit, remaining } = budgets.reduce(fewest);
  const windowS = rule.limit.perUs / SECOND;
  const reset = Math.max(1, windowS - Math.floor((atUs % rule.limit.perUs) / SECOND));
  return [
    ...budgets.flatMap((each): readonly HeaderField[] => [
      [`X-RateLimit-Limit-${periodOf(each.rule)}`, `${each.limit}`],
      [`X-RateLimit-Remaining-${periodOf(each.rule)}`, `${each.remaining}`],
    ]),
    ["RateLimit-Limit", `${limit}`],
    ["RateLimit-Remaining", `${remaining}`],
    ["RateLimit-Reset", `${reset}`],
  ];
}

function headersOfApisix({ budgets, atUs }: SentBudgets): readonly HeaderField[] {
  const { limit, remaining, resetUs } = budgets.at(-1)!; // each rule overwrites those of the one before
  return [
    ["X-RateLimit-Limit", `${limit}`],
    ["X-RateLimit-Remaining", `${remaining}`],
    ["X-RateLimit-Reset", `${secondsUntil(resetUs, atUs)}`],
  ];
}

/** Of the bucket that refused, or else of the first one. */
const chooseShown = ({ budgets, refusedBy }: SentBudgets): BudgetToSend =>
  budgets.find(({ rule }) => rule === refusedBy) ?? budgets[0]!;

/** The size of a bucket. */
const burstOf = ({ rule: { options, limit } }: BudgetToSend): number =>
  options.burst === "rate" ? limit.rate : options.burst;

/** The reset is the wait for the next token; 0: there is one. */
function headersOfEnvoy(sent: SentBudgets): readonly HeaderField[] {
  const shown = chooseShown(sent);
  const { remaining, resetUs } = shown;
  return [
    ["x-ratelimit-limit", `${burstOf(shown)}`],
    ["x-ratelimit-remaining", `${remaining}`],
    ["x-ratelimit-reset", `${remaining > 0 ? 0 : secondsUntil(resetUs, sent.atUs)}`],
  ];
}

function headersOfSpring(sent: SentBudgets): readonly HeaderField[] {
  const shown = chooseShown(sent);
  const { rule, remaining } = shown;
  return [
    ["X-RateLimit-Remaining", `${remaining}`],
    ["X-RateLimit-Requested-Tokens", `${rule.cost ?? 1}`],
    ["X-RateLimit-Burst-Capacity", `${burstOf(shown)}`],
    ["X-RateLimit-Replenish-Rate", `${rule.limit.rate}`],
  ];
}

const HEADERS: Readonly<Record<string, (sent: SentBudgets) => readonly HeaderField[]>> = {
  apisix: headersOfApisix,
  envoy: headersOfEnvoy,
  kong: headersOfKong,
  "spring-cloud-gateway": headersOfSpring,
};

/** Programs that send headers of remaining requests which are not known here. */
const UNKNOWN: ReadonlySet<string> = new Set(["envoy-gateway", "envoy-ratelimit", "tyk"]);

/** Whether the program sends headers of remaining requests that responses lack here. */
export const lacksRemaining = (kind: string): boolean => UNKNOWN.has(kind);

/** The headers of remaining requests that a response has. */
export const headersOfRemaining = (kind: string, sent: SentBudgets): readonly HeaderField[] =>
  sent.budgets.length === 0 ? [] : (HEADERS[kind]?.(sent) ?? []);
