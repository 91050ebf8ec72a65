// The smallest change of a configuration's own numbers with which it refuses no more of a log than is allowed. Of the
// numbers of a limit, one is changed: the one with which a sender gets least through at worst.
import { isFailure } from "../../kit/reading/failure.ts";
import type { ConfigurationFile } from "../../lab/implementations/reading.ts";
import { limitInRequests } from "../replay/rules.ts";
import {
  DecideAgain,
  type DecidedLog,
  type RecordedQuestion,
  type RecordedRequests,
  type Refused,
} from "./decide-again.ts";
import {
  findNumbers,
  replaceNumber,
  replaceNumbers,
  type EditableConfiguration,
  type NumberInFile,
  type NumbersOfRule,
} from "./number-in-file.ts";
import { worstOfRule } from "./worst-of-rule.ts";

export interface ChangeQuestion extends RecordedQuestion {
  readonly refusedAtMost: number; // share of the requests
  readonly clientsAtMost: number; // share of the clients
}

interface NumberChange {
  readonly what: keyof NumbersOfRule;
  readonly number: NumberInFile;
  readonly value: number; // the new one
}

export interface OtherNumber extends NumberChange {
  readonly most: number | null; // requests of a sender in a window of the limit, at worst; null: not searched
}

interface ChangedNumber extends OtherNumber {
  readonly rule: number; // index
  /** The other number of the limit that would do in its place; null: none would. */
  readonly other: OtherNumber | null;
}

/** What would do if a few clients had sent nothing. */
interface ChangeWithout {
  readonly clients: readonly number[];
  readonly requests: number; // of these clients
  readonly refused: number; // of these requests, by the present numbers
  readonly value: number; // of the one changed number; equal to its present value: no change is needed
  readonly files: readonly ConfigurationFile[]; // with this value
  readonly left: { readonly own: number; readonly others: number }; // requests that are refused with it
}

export interface SmallestChange {
  readonly clients: number;
  readonly present: Refused;
  readonly isMet: boolean; // by the present numbers
  readonly changes: readonly ChangedNumber[]; // of different numbers
  readonly after: Refused | null; // with the changes; null: there are none
  readonly isMetAfter: boolean;
  readonly files: readonly ConfigurationFile[]; // with the changes
  /** Null: no few clients alone raise the one number that changes. */
  readonly without: ChangeWithout | null;
}

const MOST_DOUBLINGS = 24;
const MOST_RULES = 8;
const MOST_OUTLIERS = 3;

/** Of changes that let equally much through, the first one is smallest. */
const WHATS = ["rate", "time", "burst"] as const;

/** How many requests and clients may be refused. */
interface Allowed {
  readonly requests: number;
  readonly clients: number;
}

export function findSmallestChange(
  configuration: EditableConfiguration,
  question: ChangeQuestion,
): SmallestChange {
  const log = new DecideAgain(configuration.candidate, question);
  const counts = {
    requests: question.requests.clients.length,
    clients: new Set(question.requests.clients).size,
  };
  const change = searchChange(configuration, log, shareOf(counts, question));
  const { changes, found, isMetAfter } = change;
  return {
    clients: counts.clients,
    present: log.present,
    isMet: isWithin(log.present, shareOf(counts, question)),
    changes,
    after: changes.length === 0 ? null : found,
    isMetAfter,
    files:
      changes.length === 0 ? configuration.files : replaceNumbers(configuration, changes).files,
    without: findWithout(configuration, question, { log, counts, change }),
  };
}

const shareOf = (
  { requests, clients }: Allowed,
  { refusedAtMost, clientsAtMost }: ChangeQuestion,
): Allowed => ({ requests: refusedAtMost * requests, clients: clientsAtMost * clients });

const isWithin = ({ refused, refusedClients }: Refused, { requests, clients }: Allowed): boolean =>
  refused <= requests && refusedClients.size <= clients;

interface FoundChange {
  readonly changes: readonly ChangedNumber[];
  readonly found: DecidedLog; // with the changes
  readonly isMetAfter: boolean;
}

function searchChange(
  configuration: EditableConfiguration,
  log: DecideAgain,
  allowed: Allowed,
): FoundChange {
  const { rules } = configuration.candidate.configuration;
  let changes: readonly ChangedNumber[] = [];
  let found: DecidedLog = log.present;
  const decideWith =
    (others: readonly NumberChange[], changed: Omit<NumberChange, "value">): DecideValue =>
    (value, base) => {
      const all = [...others, { ...changed, value }];
      const { candidate } = replaceNumbers(configuration, all);
      if (isFailure(candidate)) return null;
      // A shorter window may begin where a longer one does not, and refuse what that admits.
      const isLarger = all.every(({ what }) => what !== "time");
      return log.decide(candidate, isLarger ? base.open : log.all);
    };
  const tried = new Set<number>();
  while (!isWithin(found, allowed) && tried.size < MOST_RULES) {
    const rule = findNext(found, tried);
    if (rule === null) break;
    tried.add(rule);
    const base = found;
    const numbers = findNumbers(configuration, rules[rule]!);
    const raised = WHATS.flatMap((what) => {
      const number = numbers[what];
      if (number === null) return [];
      const others = changes.filter((each) => !isSame(each.number, number));
      const from = changes.find((each) => isSame(each.number, number))?.value ?? number.value;
      const least = findLeast(
        { what, number },
        { from, known: null, base },
        {
          decide: decideWith(others, { what, number }),
          isEnough: (result) => isWithin(result, allowed) || result.rules[rule]!.refused === 0,
        },
      );
      if (least === null) return [];
      const change = { what, number, value: least.value };
      const most = mostWith(configuration, [...others, change], rule);
      return { ...change, most, others, found: least.found };
    }).toSorted((a, b) => (a.most ?? UNKNOWN_MOST) - (b.most ?? UNKNOWN_MOST));
    const [least, second] = raised;
    if (least === undefined) break;
    const { others, found: decided, ...change } = least;
    const other =
      second === undefined
        ? null
        : { what: second.what, number: second.number, value: second.value, most: second.most };
    changes = [...others, { rule, ...change, other }];
    found = decided;
  }
  // A number was raised before the others were, and may need less with them.
  if (changes.length > 0 && tried.size > 1 && isWithin(found, allowed))
    for (const change of changes) {
      const others = changes.filter((each) => each.number !== change.number);
      const known = { value: change.value, found };
      const from = change.number.value;
      const least = findLeast(
        change,
        { from, known, base: log.present },
        {
          decide: decideWith(others, change),
          isEnough: (result) => isWithin(result, allowed),
        },
      )!;
      const isChanged = least.value !== from;
      changes = isChanged ? [...others, { ...change, value: least.value }] : others;
      found = least.found;
    }
  return { changes, found, isMetAfter: isWithin(found, allowed) };
}

const UNKNOWN_MOST = Number.MAX_SAFE_INTEGER;

/** The most that a sender gets through the changed limit in its present window. */
function mostWith(
  configuration: EditableConfiguration,
  changes: readonly NumberChange[],
  rule: number,
): number | null {
  const { candidate } = replaceNumbers(configuration, changes);
  const { perUs } = limitInRequests(configuration.candidate.configuration.rules[rule]!);
  return isFailure(candidate) ? null : worstOfRule(candidate.configuration.rules[rule]!, perUs);
}

const isSame = (a: NumberInFile, b: NumberInFile): boolean =>
  a.file === b.file && a.line === b.line && a.from === b.from;

/** The rule that refuses most and has not been tried; null: there is none. */
function findNext({ rules }: Refused, tried: ReadonlySet<number>): number | null {
  const open = [...rules.entries()].filter(
    ([index, { refused }]) => refused > 0 && !tried.has(index),
  );
  return open.toSorted(([, a], [, b]) => b.refused - a.refused)[0]?.[0] ?? null;
}

/** `base`: a decision by smaller limits. Null: the files cannot be read with this value. */
type DecideValue = (value: number, base: DecidedLog) => DecidedLog | null;

interface FoundValue {
  readonly value: number;
  readonly found: DecidedLog;
}

interface SearchRange {
  readonly from: number; // the value that is not enough; with `known`, it may be enough
  readonly known: FoundValue | null; // one that is enough
  readonly base: DecidedLog; // by smaller limits than any value
}

/** The value that is enough and changes least; null: none is. */
function findLeast(
  { what, number: { decimals } }: Omit<NumberChange, "value">,
  { from, known, base: before }: SearchRange,
  {
    decide,
    isEnough,
  }: { readonly decide: DecideValue; readonly isEnough: (result: Refused) => boolean },
): FoundValue | null {
  const scale = 10 ** decimals;
  const [start, direction] = [Math.round(from * scale), what === "time" ? -1 : 1];
  const farthest = direction < 0 ? start - 1 : Number.POSITIVE_INFINITY;
  const first = Math.max(1, direction < 0 ? start >> 1 : start);
  let base = before;
  let low = known === null ? 0 : -1; // steps from the start
  let high = known === null ? farthest : direction * (Math.round(known.value * scale) - start);
  let found = known;
  const trySteps = (steps: number): void => {
    const value = (start + direction * steps) / scale;
    const decided = decide(value, base);
    if (decided !== null && isEnough(decided)) {
      high = steps;
      found = { value, found: decided };
      return;
    }
    low = steps;
    base = decided ?? base;
  };
  const canDouble = (): boolean => found === null && low < farthest;
  for (let doublings = 0; canDouble() && doublings < MOST_DOUBLINGS; doublings++)
    trySteps(Math.min(first * 2 ** doublings, farthest));
  const canHalve = (): boolean => found !== null && high - low > 1;
  while (canHalve()) trySteps(Math.floor((low + high) / 2));
  return found;
}

interface SearchedLog {
  readonly log: DecideAgain;
  readonly counts: Allowed; // of the log
  readonly change: FoundChange;
}

/** The few clients that half of the new number would still refuse, and what would do without them. */
function findWithout(
  configuration: EditableConfiguration,
  question: ChangeQuestion,
  { log, counts, change: { changes, isMetAfter } }: SearchedLog,
): ChangeWithout | null {
  const [change, ...others] = changes;
  if (change === undefined || others.length > 0 || !isMetAfter) return null;
  const { number, value, what } = change;
  const scale = 10 ** number.decimals;
  const half =
    what === "time"
      ? Math.min(number.value, 2 * value)
      : Math.max(number.value, Math.floor((value * scale) / 2) / scale);
  const { candidate } = replaceNumber(configuration, number, half);
  if (isFailure(candidate)) return null;
  const rows = what === "time" ? log.all : log.present.open;
  const clients = new Set(log.decide(candidate, rows).refusedClients.keys());
  if (clients.size > MOST_OUTLIERS) return null;
  const own = question.requests.clients.reduce((sum, id) => sum + (clients.has(id) ? 1 : 0), 0);
  const left = { requests: counts.requests - own, clients: counts.clients - clients.size };
  if (left.requests === 0) return null;
  // The other requests are refused by no limit that is larger.
  const open = log.present.open.filter((row) => !clients.has(question.requests.clients[row]!));
  const without = { ...question, requests: selectRows(question.requests, open) };
  const again = searchChange(
    configuration,
    new DecideAgain(configuration.candidate, without),
    shareOf(left, question),
  );
  const [first, second] = again.changes;
  if (!again.isMetAfter || second !== undefined) return null;
  const refusalsOf = (client: number): number => log.present.refusedClients.get(client) ?? 0;
  const refused = [...clients].reduce((sum, client) => sum + refusalsOf(client), 0);
  const isLess =
    first !== undefined && (what === "time" ? first.value > value : first.value < value);
  if (first !== undefined && !(isSame(first.number, number) && isLess)) return null;
  const to = first?.value ?? number.value;
  const changed = replaceNumber(configuration, number, to);
  if (isFailure(changed.candidate)) return null;
  const after = first === undefined ? log.present : log.decide(changed.candidate, rows);
  const all = [...after.refusedClients].map(
    ([client, count]) => [clients.has(client), count] as const,
  );
  const sum = (isOwn: boolean): number =>
    all.reduce((total, [owns, count]) => total + (owns === isOwn ? count : 0), 0);
  return {
    clients: [...clients],
    requests: own,
    refused,
    value: to,
    files: first === undefined ? configuration.files : changed.files,
    left: { own: sum(true), others: sum(false) },
  };
}

const selectRows = (
  { clients, targets, atUs }: RecordedRequests,
  rows: Int32Array,
): RecordedRequests => ({
  clients: Array.from(rows, (row) => clients[row]!),
  targets: Array.from(rows, (row) => targets[row]!),
  atUs: Array.from(rows, (row) => atUs[row]!),
});
