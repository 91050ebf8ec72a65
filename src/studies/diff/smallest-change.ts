// The smallest change of a configuration's own numbers with which it refuses no more of a log than is allowed. Of the
// numbers of a limit, those are changed with which a sender gets least through at worst.
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
  findLargerLimits,
  findLeast,
  type LargerLimit,
  type NumberChange,
} from "./larger-limits.ts";
import {
  findNumbers,
  replaceNumbers,
  type EditableConfiguration,
  type NumberInFile,
} from "./number-in-file.ts";
import { worstOfRule } from "./worst-of-rule.ts";

export interface ChangeQuestion extends RecordedQuestion {
  readonly refusedAtMost: number; // share of the requests
  readonly clientsAtMost: number; // share of the clients
}

export interface ChangedNumber extends NumberChange {
  readonly rule: number; // index
  readonly most: LargerLimit["most"]; // with all changes of the limit
  /** What would do in place of all changes of the limit, that which lets least through first. */
  readonly others: readonly OtherChange[];
}

type OtherChange = Pick<LargerLimit, "values" | "most">;

/** What would do if a few clients had sent nothing. */
interface ChangeWithout {
  readonly clients: readonly number[];
  readonly requests: number; // of these clients
  readonly refused: number; // of these requests, by the present numbers
  readonly changes: readonly ChangedNumber[]; // none: no change is needed
  readonly files: readonly ConfigurationFile[]; // with these changes
  readonly left: { readonly own: number; readonly others: number }; // requests that are refused with them
}

export interface SmallestChange {
  readonly clients: number;
  readonly present: Refused;
  readonly isMet: boolean; // by the present numbers
  readonly changes: readonly ChangedNumber[]; // of different numbers
  readonly after: Refused | null; // with the changes; null: there are none
  readonly isMetAfter: boolean;
  readonly files: readonly ConfigurationFile[]; // with the changes
  /** Null: no few clients alone raise the one limit that changes. */
  readonly without: ChangeWithout | null;
}

const MOST_RULES = 8;
const MOST_OUTLIERS = 3;

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
  const othersThan = (values: readonly NumberChange[]): readonly ChangedNumber[] =>
    changes.filter((each) => !values.some(({ number }) => isSame(each.number, number)));
  const decide = (values: readonly NumberChange[], base: DecidedLog): DecidedLog | null => {
    const all = [...othersThan(values), ...values];
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
    const [least, ...others] = findLargerLimits(findNumbers(configuration, rules[rule]!), {
      from: (number) => changes.find((each) => isSame(each.number, number))?.value ?? number.value,
      base: found,
      decide,
      isEnough: (result) => isWithin(result, allowed) || result.rules[rule]!.refused === 0,
      mostWith: (values) => mostWith(configuration, [...othersThan(values), ...values], rule),
    });
    if (least === undefined) break;
    const { values, most } = least;
    changes = [...othersThan(values), ...values.map((value) => ({ rule, ...value, most, others }))];
    found = least.found;
  }
  // A number was raised before the others were, and may need less with them.
  if (changes.length > 0 && tried.size > 1 && isWithin(found, allowed)) {
    for (const { what, number, value, ...change } of changes) {
      const least = findLeast(
        { what, number },
        { from: number.value, known: { value, found }, base: log.present },
        {
          decide: (each, base) => decide([{ what, number, value: each }], base),
          isEnough: (result) => isWithin(result, allowed),
        },
      )!;
      const others = changes.filter((each) => each.number !== number);
      const isChanged = least.value !== number.value;
      changes = isChanged ? [...others, { ...change, what, number, value: least.value }] : others;
      found = least.found;
    }
    const lowered = changes;
    changes = lowered.map((change) => ({
      ...change,
      most: mostWith(configuration, lowered, change.rule),
    }));
  }
  return { changes, found, isMetAfter: isWithin(found, allowed) };
}

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
  if (!isMetAfter || !areOfOneRule(changes)) return null;
  const { candidate } = replaceNumbers(
    configuration,
    changes.map((change) => ({ ...change, value: halfOf(change) })),
  );
  if (isFailure(candidate)) return null;
  const rowsFor = (some: readonly NumberChange[]): Int32Array =>
    some.some(({ what }) => what === "time") ? log.all : log.present.open;
  const clients = new Set(log.decide(candidate, rowsFor(changes)).refusedClients.keys());
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
  if (!again.isMetAfter || !isLess(again.changes, changes)) return null;
  const refusalsOf = (client: number): number => log.present.refusedClients.get(client) ?? 0;
  const refused = [...clients].reduce((sum, client) => sum + refusalsOf(client), 0);
  const changed = replaceNumbers(configuration, again.changes);
  if (isFailure(changed.candidate)) return null;
  const after =
    again.changes.length === 0
      ? log.present
      : log.decide(changed.candidate, rowsFor(again.changes));
  const all = [...after.refusedClients].map(
    ([client, count]) => [clients.has(client), count] as const,
  );
  const sum = (isOwn: boolean): number =>
    all.reduce((total, [owns, count]) => total + (owns === isOwn ? count : 0), 0);
  return {
    clients: [...clients],
    requests: own,
    refused,
    changes: again.changes,
    files: changed.files,
    left: { own: sum(true), others: sum(false) },
  };
}

const areOfOneRule = (changes: readonly ChangedNumber[]): boolean =>
  changes.length > 0 && changes.every(({ rule }) => rule === changes[0]!.rule);

const halfOf = ({ what, number, value }: NumberChange): number => {
  const scale = 10 ** number.decimals;
  return what === "time"
    ? Math.min(number.value, 2 * value)
    : Math.max(number.value, Math.floor((value * scale) / 2) / scale);
};

/** Whether changes of a limit let less through than others of the same limit. */
function isLess(changes: readonly ChangedNumber[], than: readonly ChangedNumber[]): boolean {
  if (changes.length === 0) return true;
  if (!areOfOneRule([...changes, ...than])) return false;
  const [most, other] = [changes[0]!.most, than[0]!.most];
  if (most !== null && other !== null && most < other) return true;
  return changes.every(({ what, number, value }) =>
    than.some(
      (each) =>
        isSame(each.number, number) && (what === "time" ? value > each.value : value < each.value),
    ),
  );
}

const selectRows = (
  { clients, targets, atUs }: RecordedRequests,
  rows: Int32Array,
): RecordedRequests => ({
  clients: Array.from(rows, (row) => clients[row]!),
  targets: Array.from(rows, (row) => targets[row]!),
  atUs: Array.from(rows, (row) => atUs[row]!),
});
