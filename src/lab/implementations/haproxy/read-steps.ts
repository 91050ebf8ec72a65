// What HAProxy does with a request before its server: it tracks keys in stick tables, counts, and refuses.
import { isFailure, type Failure } from "../../../kit/reading/failure.ts";
import {
  conditionOf,
  rateIn,
  truthOf,
  wordsOf,
  type Alternative,
  type AnswerOfCondition,
  type ConditionParts,
  type RateTerm,
} from "./read-conditions.ts";
import { formatOf, sampleOf, type HaproxyPassage, type Sample } from "./read-samples.ts";
import type { HaproxyNotes } from "./read-notes.ts";
import { callOf, problemAt, splitOutside, type Line, type Words } from "./parse.ts";

type Truth = (passage: HaproxyPassage) => boolean;

interface LimitAction {
  readonly kind: "limit";
  readonly rate: RateTerm;
  readonly status: number; // 0: the connection is closed without a response
  readonly condition: string; // the words of its other terms
}

interface TrackAction {
  readonly kind: "track";
  readonly slot: number;
  readonly table: string;
  readonly key: Sample;
  readonly condition: string;
}

type Action =
  | TrackAction
  | { readonly kind: "set"; readonly variable: string; readonly value: Sample }
  | { readonly kind: "count"; readonly slot: number; readonly condition: string }
  | { readonly kind: "stop"; readonly isFinal: boolean } // not final: the backend's rules follow
  | LimitAction;

export type HaproxyStep<A extends Action = Action> = {
  readonly line: Line;
  readonly position: number;
  readonly when: Truth;
} & A;

export type LimitStep = HaproxyStep<LimitAction>;

export interface StepContext {
  readonly parts: ConditionParts;
  readonly notes: HaproxyNotes;
  readonly nextPosition: () => number;
}

const STATUS: Readonly<Record<string, number>> = { deny: 403, tarpit: 500, return: 200 };

const IRRELEVANT_ACTIONS =
  /^(?:(?:set|add|del|replace)-(?:header|headers-bin|value|tos|mark|nice|log-level|dst|dst-port|timeout|priority-class|priority-offset|bandwidth-limit|bc-mark|fc-mark|bc-tos|fc-tos|retries|ssl-.*)|capture|cache-use|disable-l7-retry|do-log|do-resolve|early-hint|inspect-delay|pause|send-proxy.*|unset-var|wait-for-(?:body|handshake)|expect-.*|strict-mode)$/;

/** The steps of one line of `http-request` or `tcp-request`. `words` begin with the action. */
export function stepsOf(
  line: Line,
  words: Words,
  own: string,
  context: StepContext,
): readonly HaproxyStep[] {
  const { parts, notes, nextPosition } = context;
  const [typed = ""] = words;
  const call = callOf(typed) ?? { name: typed, args: [] };
  const alternatives = conditionOf(words, parts);
  const position = nextPosition();
  const at = { line, position };
  const when = (isTaken: boolean): Truth => anyOf(alternatives, answering(line, isTaken, notes));
  const slot = /^track-sc(\d+)$/.exec(call.name)?.[1];
  const condition = alternatives.map(wordsOf).join(" or ");
  const counting = alternatives.map(rateIn).find((rate) => rate !== null);
  if (IRRELEVANT_ACTIONS.test(call.name) && counting === undefined) {
    notes.note(line, "irrelevant");
    return [];
  }
  if (isRefusal(call.name)) return refusalsOf(at, words, alternatives, notes);
  if (counting !== undefined) {
    notes.note(line, "not understood", consequenceOfRate(call.name, counting));
    return [];
  }
  if (slot !== undefined || call.name === "track-sc") {
    const key = sampleOf(words[1] ?? "", parts.headers);
    if (isFailure(key)) {
      notes.note(line, "not understood", `${key.message}, so that nothing is tracked here`);
      return [];
    }
    notes.note(line, "read");
    const table = wordAfter(words, "table") ?? own;
    const number = Number(slot ?? 0);
    return [{ ...at, kind: "track", slot: number, table, key, condition, when: when(true) }];
  }
  if (call.name === "set-var" || call.name === "set-var-fmt") {
    const text = words[1] ?? "";
    const read = call.name === "set-var" ? sampleOf : formatOf;
    const value = read(text, parts.headers);
    if (isFailure(value)) {
      const isCounter = /table_|\bsc\d?_|\bsrc_|,map/.test(text);
      if (isCounter) notes.note(line, "not understood", "a rule may limit by its variable");
      else notes.note(line, "irrelevant"); // a rule with the variable is not understood itself
      return [];
    }
    notes.note(line, "read");
    return [{ ...at, kind: "set", variable: call.args[0] ?? "", value, when: when(true) }];
  }
  if (/^sc\d?-inc-gpc0$/.test(call.name)) {
    notes.note(line, "read");
    const number = Number(/^sc(\d)/.exec(call.name)?.[1] ?? call.args[0] ?? 0);
    return [{ ...at, kind: "count", slot: number, condition, when: when(true) }];
  }
  if (ENDS.test(call.name)) {
    notes.note(line, "read", "requests that end here meet none of the rules that follow");
    const isFinal = call.name !== "allow" && call.name !== "accept";
    return [{ ...at, kind: "stop", isFinal, when: when(false) }];
  }
  notes.note(
    line,
    "not understood",
    "this reader does not know it; if it limits or changes requests, the result is wrong",
  );
  return [];
}

const ENDS = /^(?:allow|accept|auth|use-service|redirect)$/;

const isRefusal = (name: string): boolean =>
  /^(?:deny|tarpit|reject|silent-drop|return)$/.test(name);

function consequenceOfRate(name: string, rate: RateTerm | Failure): string {
  return isFailure(rate)
    ? rate.message
    : `${name} above a rate is no refusal by itself; if the server or a later rule refuses these requests, the result is wrong`;
}

/** Answers that an unknown condition is taken as `isTaken`, if --set does not have it. */
export const answering =
  (line: Line, isTaken: boolean, notes: HaproxyNotes): AnswerOfCondition =>
  ({ name, why, isNegated }) =>
    notes.takeTruth(name, isTaken !== isNegated, line, why) !== isNegated;

function anyOf(alternatives: readonly Alternative[], answer: AnswerOfCondition): Truth {
  const truths = alternatives.map((each) => truthOf(each, answer));
  return (passage) => truths.some((holds) => holds(passage));
}

/** A refusal without a rate ends the way of a request; each alternative with a rate is a limit. */
function refusalsOf(
  at: Pick<HaproxyStep, "line" | "position">,
  words: Words,
  alternatives: readonly Alternative[],
  notes: HaproxyNotes,
): readonly HaproxyStep[] {
  const { line } = at;
  const status = Number(
    wordAfter(words, "deny_status") ?? wordAfter(words, "status") ?? STATUS[words[0]!] ?? 0,
  );
  const steps: HaproxyStep[] = [];
  notes.note(line, "read");
  const limits = Map.groupBy(alternatives, (alternative) => {
    const rate = rateIn(alternative);
    return rate === null || isFailure(rate) ? alternative : identityOf(rate);
  });
  for (const same of limits.values()) {
    const rate = rateIn(same[0]!);
    if (isFailure(rate)) notes.note(line, "not understood", rate.message);
    else if (rate === null) {
      const when = anyOf(same, answering(line, false, notes));
      notes.note(line, "read", "a request that it refuses meets no limit, and counts as admitted");
      steps.push({ ...at, kind: "stop", isFinal: true, when });
    } else if (rate.above < 0)
      notes.note(line, "not understood", "a rate of at least 0 always holds");
    else {
      const when = anyOf(same, answering(line, true, notes));
      steps.push({
        ...at,
        kind: "limit",
        rate,
        status,
        condition: same.map(wordsOf).join(" or "),
        when,
      });
    }
  }
  return steps;
}

/** Alternatives with the same rate are one limit. */
const identityOf = ({ counter, slot, table, above }: RateTerm): string =>
  JSON.stringify([counter, slot, table, above]);

function wordAfter(words: Words, name: string): string | undefined {
  const until = words.findIndex((word) => word === "if" || word === "unless");
  const before = until < 0 ? words : words.slice(0, until);
  const index = before.indexOf(name);
  return index < 0 ? undefined : before[index + 1];
}

interface Tracked {
  readonly slot: number;
  readonly table: string;
  readonly key: string;
}

/** What a request is counted by, and which limits it meets. */
export interface HaproxyOutcome {
  readonly tracked: readonly Tracked[];
  readonly counted: readonly Tracked[]; // by sc-inc-gpc0
  readonly met: ReadonlyMap<LimitStep, string>; // with the name of the table that the limit looks into
}

/** Runs the steps of a frontend, and of the backend that `chooses`, for one request. */
export function passThrough(
  passage: HaproxyPassage,
  frontend: readonly HaproxyStep[],
  choose: (passage: HaproxyPassage) => readonly HaproxyStep[],
  keyIn: (table: string, value: string) => string | null,
): HaproxyOutcome {
  const [tracked, counted]: [Tracked[], Tracked[]] = [[], []];
  const met = new Map<LimitStep, string>();
  const run = (steps: readonly HaproxyStep[]): boolean => {
    for (const step of steps) {
      if (!step.when(passage)) continue;
      if (step.kind === "stop") return !step.isFinal;
      if (step.kind === "set") {
        const value = step.value(passage).at(-1);
        if (value !== undefined) passage.variables.set(step.variable, value);
      } else if (step.kind === "track") {
        const value = step.key(passage).at(-1);
        const key = value === undefined ? null : keyIn(step.table, value);
        const isFree = tracked.every(({ slot }) => slot !== step.slot);
        if (key !== null && isFree) tracked.push({ slot: step.slot, table: step.table, key });
      } else if (step.kind === "count")
        counted.push(...tracked.filter(({ slot }) => slot === step.slot));
      else {
        const { slot, table } = step.rate;
        const own = tracked.find((each) => each.slot === slot);
        const looked = slot === null ? table : (own?.table ?? null);
        if (looked !== null && (table === null || table === looked)) met.set(step, looked);
      }
    }
    return true;
  };
  if (run(frontend)) run(choose(passage));
  return { tracked, counted, met };
}

export interface StickTable {
  readonly name: string;
  readonly line: Line;
  readonly type: string;
  readonly length: number; // of keys of type string
  readonly periods: ReadonlyMap<string, string>; // by counter, as written
  readonly expire: string | null;
  readonly hasPeers: boolean;
}

/** `stick-table type ip size 1m expire 10s store http_req_rate(10s)`, or a `table` of peers. */
export function tableOf(name: string, line: Line, words: Words): StickTable | Failure {
  const type = wordAfter(words, "type");
  if (type === undefined)
    return problemAt(line, "the stick-table has no type; add one, such as type ip");
  const stored = words.flatMap((word, at) => (word === "store" ? [words[at + 1] ?? ""] : []));
  const counters = stored.flatMap(splitOutside);
  return {
    name,
    line,
    type,
    length: Number(wordAfter(words, "len") ?? 32),
    periods: new Map(
      counters.map((each) => {
        const call = callOf(each);
        return [call?.name ?? each, call?.args[0] ?? ""];
      }),
    ),
    expire: wordAfter(words, "expire") ?? null,
    hasPeers: words.includes("peers"),
  };
}
