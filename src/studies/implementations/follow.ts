// Decides whether a profile can have made the decisions of an implementation, each at some time within its span. Near
// an edge a decision depends on that time, so all possibilities are followed until later decisions exclude them. A
// decision is open if the profile can also decide otherwise within the span.
import type { Configuration } from "../../limiter/core/config.ts";
import {
  copyOf,
  createBranchReader,
  decideOn,
  firstBranch,
  meetOn,
  type Branch,
  type BranchRequest,
} from "../../lab/drivers/branches.ts";
import { fingerprintOf } from "../../limiter/store/fingerprint.ts";
import { REASONS, type History } from "../../lab/scenario/history.ts";
import type { Plan, Variant } from "../../lab/scenario/types.ts";

interface FollowedRequest {
  readonly budgets: readonly string[];
  readonly identity: string;
}

/** What may have made the decisions, with counters that can be continued in several ways. */
export interface FollowedModel<State, Request> {
  readonly first: State;
  /** Leaves the given state unchanged. */
  readonly decide: (
    state: State,
    request: Request,
    atUs: number,
  ) => { readonly state: State; readonly isAdmitted: boolean; readonly delayUs: number };
  readonly fingerprint: (state: State) => string | null;
  /** Applies changes of limits, for the clients of these rows. Left out: limits never change. */
  readonly change?: (state: State, from: number, to: number, rows: Iterable<number>) => State;
}

/** A decision of the implementation at an unknown time within a span. */
export interface SpannedDecision<Request = FollowedRequest> {
  readonly row: number; // row in the history
  readonly fromUs: number;
  readonly toUs: number;
  readonly isAdmitted: boolean;
  readonly delayUs: number;
  readonly request: Request;
  readonly change: number; // how many changes of limits preceded the decision
}

export interface FollowedHistory {
  readonly open: readonly number[]; // rows that the profile may also decide otherwise
  readonly impossible: readonly number[]; // of each part, the first row that the profile cannot decide so, if any
}

export interface FollowSetting {
  readonly variant: Variant;
  readonly plan: Plan;
  readonly marginUs: number; // a span is longer by this much at each end
  readonly isOrdered: boolean; // decisions were made in the order of their rows
}

/** The most possibilities followed at once. If none of them fits all decisions, the next number is tried. */
const MOST_BRANCHES = [8, 64, 512] as const;

/** The most that is tried for one decision: of many requests in one span, each may be the next. */
const MOST_TRIES = 8_192;

const ADMITTED = REASONS.indexOf("none");

export function followHistory(history: History, setting: FollowSetting): FollowedHistory {
  const { decisions, model } = readDecisions(history, setting);
  return followDecisions(decisions, model, setting.isOrdered);
}

export function followDecisions<State, Request extends FollowedRequest>(
  decisions: readonly SpannedDecision<Request>[],
  model: FollowedModel<State, Request>,
  isOrdered: boolean,
): FollowedHistory {
  const open: number[] = [];
  const impossible: number[] = [];
  for (const part of independentParts(decisions)) {
    const found = followPart({ decisions: part, model, isOrdered });
    open.push(...found.open);
    impossible.push(...found.impossible);
  }
  return { open, impossible };
}

interface ReadDecisions {
  readonly decisions: readonly SpannedDecision<BranchRequest>[];
  readonly model: FollowedModel<Branch, BranchRequest>;
}

function readDecisions(
  { header, requests }: History,
  { variant, plan, marginUs }: FollowSetting,
): ReadDecisions {
  const configured = variant.faults.flatMap((fault) =>
    fault.kind === "configure" ? [{ atUs: fault.atUs, configuration: fault.configuration }] : [],
  );
  const configurations: readonly (Configuration | null)[] = [
    variant.world.configuration,
    ...configured.map(({ configuration }) => configuration),
  ];
  const { epochUs } = header;
  const readers = configurations.map((configuration) => {
    if (configuration === null) throw new Error("the configuration of the world has errors");
    return createBranchReader(variant, configuration, plan, epochUs);
  });
  return {
    decisions: Array.from(requests.reason, (_, row) => {
      const change = configured.filter(({ atUs }) => atUs <= requests.plannedUs[row]!).length;
      return {
        row,
        fromUs: Math.floor(Math.min(requests.sentUs[row]!, requests.fromUs[row]!) - marginUs),
        toUs: Math.ceil(requests.toUs[row]! + marginUs),
        isAdmitted: requests.reason[row] === ADMITTED,
        delayUs: requests.delayUs[row]!,
        request: readers[change]!(requests, row),
        change,
      };
    }),
    model: {
      first: firstBranch(),
      decide: (state, request, atUs) => {
        const { branch, ...decided } = decideOn(state, request, epochUs + atUs);
        return { state: branch, ...decided };
      },
      fingerprint: fingerprintOf,
      change: (state, from, to, rows) => {
        const changed = copyOf(state);
        for (let change = from + 1; change <= to; change++)
          for (const row of rows) {
            const request = readers[change]!(requests, row);
            if (request.levels.some(({ imitation }) => imitation?.changedLimit))
              meetOn(changed, request, epochUs + configured[change - 1]!.atUs);
          }
        return changed;
      },
    },
  };
}

/** Splits decisions into parts that share no budget, not even indirectly, so that no part changes another. */
function independentParts<Request extends FollowedRequest>(
  decisions: readonly SpannedDecision<Request>[],
): readonly (readonly SpannedDecision<Request>[])[] {
  const partOf = new Map<string, number>();
  const parts: SpannedDecision<Request>[][] = [];
  for (const decision of decisions) {
    const { budgets: names } = decision.request;
    const met = [...new Set(names.flatMap((name) => partOf.get(name) ?? []))].toSorted(byNumber);
    const [into = parts.push([]) - 1, ...others] = met;
    for (const other of others) {
      parts[into]!.push(...parts[other]!.splice(0));
      for (const [name, part] of partOf) if (part === other) partOf.set(name, into);
    }
    for (const name of names) partOf.set(name, into);
    parts[into]!.push(decision);
  }
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.toSorted((a, b) => a.row - b.row));
}

const byNumber = (a: number, b: number): number => a - b;

function followPart<State, Request extends FollowedRequest>(
  part: Omit<Following<State, Request>, "most">,
): FollowedHistory {
  let followed: FollowedHistory = { open: [], impossible: [] };
  for (const most of MOST_BRANCHES) {
    followed = follow({ ...part, most });
    if (followed.impossible.length === 0) break;
  }
  return followed;
}

interface Following<State, Request> {
  readonly decisions: readonly SpannedDecision<Request>[];
  readonly model: FollowedModel<State, Request>;
  readonly isOrdered: boolean;
  readonly most: number;
}

/** One order and one choice of times for some of the decisions. */
interface Possibility<State> {
  readonly state: State;
  readonly next: number; // all decisions before this one are made
  readonly made: ReadonlySet<number>; // decisions after `next` that are made already
  readonly nowUs: number;
  readonly change: number;
}

function follow<State, Request extends FollowedRequest>(
  following: Following<State, Request>,
): FollowedHistory {
  const { decisions, model } = following;
  const sorted = following.isOrdered ? decisions : inOrderOfStart(decisions);
  const latest = latestTimes(sorted, following.isOrdered);
  const bothWays = new Map<number, Set<boolean>>();
  let possibilities: readonly Possibility<State>[] = [
    { state: model.first, next: 0, made: new Set(), nowUs: Number.NEGATIVE_INFINITY, change: 0 },
  ];
  for (let step = 0; step < sorted.length; step++) {
    const tries = possibilities.reduce(
      (sum, each) =>
        sum + TIMES * candidatesOf(each, sorted, latest, following.isOrdered).places.length,
      0,
    );
    const some = Math.floor((possibilities.length * MOST_TRIES) / tries);
    possibilities = keepSome(possibilities, Math.max(MOST_BRANCHES[0], some));
    const continued = possibilities.flatMap((each) =>
      continuationsOf(each, sorted, latest, following, bothWays),
    );
    if (continued.length === 0)
      return { open: [], impossible: [firstRowOf(possibilities, sorted)] };
    possibilities = thinOut(continued, following.most, model.fingerprint);
  }
  const open = [...bothWays].filter(([, ways]) => ways.size > 1).map(([row]) => row);
  return { open, impossible: [] };
}

const inOrderOfStart = <Request>(
  decisions: readonly SpannedDecision<Request>[],
): readonly SpannedDecision<Request>[] =>
  decisions.toSorted((a, b) => a.fromUs - b.fromUs || a.toUs - b.toUs);

/** The latest times of decisions. In a fixed order, no decision is later than the end of any later span. */
function latestTimes(
  decisions: readonly SpannedDecision<unknown>[],
  isOrdered: boolean,
): readonly number[] {
  const times = decisions.map(({ toUs }) => toUs);
  if (isOrdered)
    for (let at = times.length - 2; at >= 0; at--) times[at] = Math.min(times[at]!, times[at + 1]!);
  return times;
}

const firstRowOf = (
  possibilities: readonly Possibility<unknown>[],
  sorted: readonly SpannedDecision<unknown>[],
): number => Math.min(...possibilities.map(({ next }) => sorted[next]!.row));

/** The fractions of a span at which a decision is tried, in addition to both ends. */
const INSIDE = [0.38, 0.71] as const;
const TIMES = INSIDE.length + 2;

function continuationsOf<State, Request extends FollowedRequest>(
  possibility: Possibility<State>,
  sorted: readonly SpannedDecision<Request>[],
  latest: readonly number[],
  following: Following<State, Request>,
  bothWays: Map<number, Set<boolean>>,
): readonly Possibility<State>[] {
  const { model, isOrdered } = following;
  const { made, nowUs } = possibility;
  const { places, untilUs } = candidatesOf(possibility, sorted, latest, isOrdered);
  return places.flatMap((place) => {
    const decision = sorted[place]!;
    const fromUs = Math.max(decision.fromUs, nowUs);
    const toUs = Math.min(untilUs, latest[place]!);
    if (fromUs > toUs) return [];
    const { state, change } = applyChanges(possibility, decision, sorted, model);
    return timesIn(fromUs, toUs).flatMap((atUs): readonly Possibility<State>[] => {
      const tried = model.decide(state, decision.request, atUs);
      const isSame =
        tried.isAdmitted === decision.isAdmitted &&
        Math.abs(tried.delayUs - decision.delayUs) <= toUs - fromUs + 2; // microseconds of rounding
      const ways = bothWays.get(decision.row) ?? new Set();
      bothWays.set(decision.row, ways.add(isSame));
      if (!isSame) return [];
      return [{ state: tried.state, nowUs: atUs, change, ...advance(possibility, place, made) }];
    });
  });
}

/** Finds the decisions that may be next: no other remaining span ends before the span of such a decision begins. */
function candidatesOf(
  { next, made }: Possibility<unknown>,
  sorted: readonly SpannedDecision<unknown>[],
  latest: readonly number[],
  isOrdered: boolean,
): { readonly places: readonly number[]; readonly untilUs: number } {
  if (isOrdered) return { places: [next], untilUs: latest[next]! };
  const places: number[] = [];
  let untilUs = Number.POSITIVE_INFINITY;
  for (let place = next; place < sorted.length; place++) {
    if (made.has(place)) continue;
    if (sorted[place]!.fromUs > untilUs) break;
    untilUs = Math.min(untilUs, latest[place]!);
    places.push(place);
  }
  return { places: places.filter((place) => sorted[place]!.fromUs <= untilUs), untilUs };
}

function advance(
  { next }: Possibility<unknown>,
  place: number,
  made: ReadonlySet<number>,
): Pick<Possibility<unknown>, "next" | "made"> {
  const all = new Set(made).add(place);
  let first = next;
  while (all.delete(first)) first++;
  return { next: first, made: all };
}

/** Applies the changes of limits before a decision, to each client that sent a request earlier. */
function applyChanges<State, Request extends FollowedRequest>(
  { state, change: from, next }: Possibility<State>,
  { change: to }: SpannedDecision<Request>,
  sorted: readonly SpannedDecision<Request>[],
  { change }: FollowedModel<State, Request>,
): { readonly state: State; readonly change: number } {
  if (to <= from || change === undefined) return { state, change: from };
  const rows = new Map(sorted.slice(0, next).map((each) => [each.request.identity, each.row]));
  return { state: change(state, from, to, [...rows.values()]), change: to };
}

const timesIn = (fromUs: number, toUs: number): readonly number[] => [
  ...new Set([fromUs, ...INSIDE.map((part) => Math.round(fromUs + (toUs - fromUs) * part)), toUs]),
];

/** Removes duplicate states, and if too many remain, keeps evenly spaced ones. */
function thinOut<State>(
  possibilities: readonly Possibility<State>[],
  most: number,
  fingerprint: (state: State) => string | null,
): readonly Possibility<State>[] {
  const different = new Map<string, Possibility<State>>();
  for (const [index, each] of possibilities.entries()) {
    const state = fingerprint(each.state) ?? `${index}`;
    const name = `${state} ${each.next} ${[...each.made].join(" ")}`;
    // Of two equal states the earlier one is kept, because it has all continuations of the later.
    const other = different.get(name);
    if (other === undefined || each.nowUs < other.nowUs) different.set(name, each);
  }
  return keepSome([...different.values()], most);
}

/** Keeps at most this number, evenly spaced. */
function keepSome<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  const spacing = (all.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => all[Math.round(index * spacing)]!);
}
