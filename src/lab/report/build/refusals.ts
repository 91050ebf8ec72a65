// Which requests were refused, and why: consecutive refusals of a flow are one entry, whose first and last are
// explained.
import { explainVariant, type Explanation, type FilledBy } from "../../check/explain.ts";
import { answerTo } from "../../check/rejections.ts";
import { requestNames } from "../../check/request-names.ts";
import { REASONS, type History } from "../../scenario/history.ts";
import type { Variant } from "../../scenario/types.ts";
import type { Verdict } from "../../scenario/verdict.ts";
import type {
  BudgetReport,
  FillersReport,
  RefusalReport,
  RefusalsReport,
  RefusedRequest,
} from "../model-refusals.ts";
import { resultUs } from "../../check/series.ts";

/** Consecutive rows of one flow with the same refusal by the same limit. */
interface Run {
  readonly first: number;
  last: number;
  count: number;
  readonly cited: number[]; // rows that verdicts cite
}

const MOST_ENTRIES = 200;
const LEAST_ENTRIES = 10;
const MOST_OF_A_SCENARIO = 4_000;

interface Refusing {
  readonly variant: Variant;
  readonly history: History;
  readonly verdicts: readonly Verdict[];
}

/** How many entries a variant may have: fewer if there are many variants, so that reports stay small. */
export const mostEntries = (variants: number): number =>
  Math.min(MOST_ENTRIES, Math.max(LEAST_ENTRIES, Math.floor(MOST_OF_A_SCENARIO / variants)));

/** Histories with more requests get fewer entries, so that a report of a thousand such histories stays small. */
const MANY_REQUESTS = 5_000;

/** In histories with more requests, refusals are not explained: each explanation reads all earlier requests. */
const MOST_REQUESTS_EXPLAINED = 50_000;

export const NO_REFUSALS: RefusalsReport = {
  budgets: [],
  entries: [],
  leftOut: { entries: 0, requests: 0 },
};

export function refusalsOf(
  { variant, history, verdicts }: Refusing,
  most: number,
  explains = true,
): RefusalsReport {
  const evidence = new Set(verdicts.flatMap((verdict) => verdict.evidence));
  const runs = runsOf(history, evidence);
  if (runs.length === 0) return NO_REFUSALS;
  const mostShown = history.requests.length < MANY_REQUESTS ? most : Math.min(most, LEAST_ENTRIES);
  const shown = runs.slice(0, mostShown);
  const toExplain =
    !explains || history.requests.length > MOST_REQUESTS_EXPLAINED
      ? []
      : shown.flatMap(({ first, last, cited }) => [first, last, ...cited]);
  const explanations = explainVariant(variant, history, toExplain);
  const nameOf = requestNames(history);
  const budgets = new Map<string, BudgetReport>();
  const mostFillers = most < FEW_ENTRIES ? FEW_FILLERS : MOST_FILLERS;
  const known = { history, explanations, nameOf, budgets, mostFillers };
  const entries = shown.map((run) => entryOf(run, known));
  const rest = runs.slice(mostShown);
  return {
    budgets: [...budgets.values()],
    entries,
    leftOut: {
      entries: rest.length,
      requests: rest.reduce((sum, { count }) => sum + count, 0),
    },
  };
}

/** The runs of refusals. A run has the number of its rows but no list of them, because it may have a million. */
function runsOf({ header, requests }: History, evidence: ReadonlySet<number>): readonly Run[] {
  const runs: Run[] = [];
  const open = new Map<string, Run>(); // the last run of each flow, while it may grow
  const isLike = (a: number, b: number): boolean =>
    requests.reason[a] === requests.reason[b] &&
    requests.budget[a] === requests.budget[b] &&
    requests.status[a] === requests.status[b];
  for (let row = 0; row < requests.length; row++) {
    const flow = header.flows[requests.flow[row]!]!.name;
    if (answerTo(requests, row) !== "refused") {
      open.delete(flow);
      continue;
    }
    let joined = open.get(flow);
    if (joined === undefined || !isLike(joined.first, row)) {
      joined = { first: row, last: row, count: 0, cited: [] };
      open.set(flow, joined);
      runs.push(joined);
    }
    joined.last = row;
    joined.count++;
    if (evidence.has(row)) joined.cited.push(row);
  }
  return runs;
}

interface Known {
  readonly history: History;
  readonly explanations: ReadonlyMap<number, Explanation>;
  readonly nameOf: (row: number) => string | null;
  readonly budgets: Map<string, BudgetReport>; // in the order of their first refusal
  readonly mostFillers: number;
}

function entryOf({ first: row, last, count, cited }: Run, known: Known): RefusalReport {
  const { history, explanations } = known;
  const { header, requests } = history;
  const explanation = explanations.get(row) ?? null;
  const budget = budgetOf(history, row, explanation);
  const since = explanation?.since ?? null;
  return {
    flow: header.flows[requests.flow[row]!]!.name,
    status: requests.status[row]!,
    reason: REASONS[requests.reason[row]!] === "quota" ? "quota" : "rate",
    budget: budget === null ? null : indexOf(budget, known.budgets),
    count,
    first: requestOf(row, known),
    last: count === 1 ? null : requestOf(last, known),
    cited: cited
      .filter((each) => each !== row && each !== last)
      .map((each) => requestOf(each, known)),
    citedRows: cited,
    ...fillersOf(explanation, history, known.mostFillers),
    since:
      since === null
        ? null
        : {
            atUs: since.atUs,
            call: since.call?.name ?? null,
            request: since.call === null ? "" : `${since.call.method} ${since.call.path}`,
          },
  };
}

function requestOf(row: number, { history, explanations, nameOf }: Known): RefusedRequest {
  const found = explanations.get(row) ?? null;
  return {
    row,
    request: nameOf(row),
    atUs: found?.stampUs ?? resultUs(history.requests, row),
    explained:
      found === null
        ? null
        : {
            agrees: found.agrees,
            text: found.text,
            passesAtUs: found.passesAtUs,
            missedByUs: found.missedByUs,
          },
  };
}

/** The budget as the oracle describes it; if the refusal was not explained, as the history describes it. */
function budgetOf(
  { header, requests }: History,
  row: number,
  explanation: Explanation | null,
): BudgetReport | null {
  const named = header.budgets[requests.budget[row]!];
  const found = explanation === null ? named : explanation.budget;
  if (found === undefined || found === null) return null;
  const { name, scope, algorithm, rate, perUs } = found;
  const because = explanation?.because ?? named?.because ?? [];
  return {
    name,
    scope,
    algorithm,
    rate,
    perUs: Number.isFinite(perUs) ? perUs : null,
    because,
  };
}

function indexOf(budget: BudgetReport, budgets: Map<string, BudgetReport>): number {
  const text = JSON.stringify(budget);
  if (!budgets.has(text)) budgets.set(text, budget);
  return [...budgets.keys()].indexOf(text);
}

const MOST_FILLERS = 40;
/** The most fillers if a variant has fewer than `FEW_ENTRIES` entries, as in reports of many variants. */
const FEW_FILLERS = 10;
const FEW_ENTRIES = 40;

/** Requests closer than a fortieth of the window are one entry, because a chart cannot separate them. */
const CLOSE_PER_WINDOW = 40;

function fillersOf(
  explanation: Explanation | null,
  history: History,
  most: number,
): Pick<RefusalReport, "filledBy" | "unlisted"> {
  if (explanation === null || explanation.budget === null) return { filledBy: [], unlisted: 0 };
  const closeUs = explanation.budget.perUs / CLOSE_PER_WINDOW;
  const open = new Map<string, FillersReport>();
  const all: FillersReport[] = [];
  for (const one of explanation.filledBy) {
    const flow = history.header.flows[history.requests.flow[one.row]!]!.name;
    const what = whatOf(one);
    const kind = `${what} ${flow}`;
    const { stampUs } = one;
    const last = open.get(kind);
    const joins = last !== undefined && Math.abs(stampUs - last.toUs) <= closeUs;
    const next: FillersReport = joins
      ? {
          ...last,
          fromUs: Math.min(last.fromUs, stampUs),
          toUs: Math.max(last.toUs, stampUs),
          count: last.count + 1,
        }
      : { flow, fromUs: stampUs, toUs: stampUs, count: 1, what };
    if (joins) all[all.indexOf(last)] = next;
    else all.push(next);
    open.set(kind, next);
  }
  const listed = all.slice(-most); // the newest, which leave the window last
  const isListed = listed.reduce((sum, { count }) => sum + count, 0);
  return { filledBy: listed, unlisted: explanation.filledBy.length - isListed };
}

const whatOf = ({ refused, certain }: FilledBy): FillersReport["what"] =>
  !certain ? "perhaps" : refused ? "refused" : "admitted";
