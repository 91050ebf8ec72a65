// The smallest change of a configuration's own numbers with which it refuses no more of a log than is allowed.
import { isFailure } from "../../kit/reading/failure.ts";
import type { ConfigurationFile } from "../../lab/implementations/reading.ts";
import type { RuleCount, RequestNames } from "../replay/candidate-limiter.ts";
import { startCandidate } from "../replay/candidates.ts";
import { onFleet, type Fleet } from "../replay/fleet.ts";
import type { RulesCandidate } from "../replay/rules.ts";
import {
  findNumber,
  replaceNumber,
  replaceNumbers,
  type EditableConfiguration,
  type NumberInFile,
} from "./number-in-file.ts";

/** The requests of a log in memory, because they are decided many times. */
export interface RecordedRequests {
  readonly clients: readonly number[];
  readonly targets: readonly number[];
  readonly atUs: readonly number[];
}

export interface ChangeQuestion {
  readonly requests: RecordedRequests;
  readonly names: RequestNames;
  readonly fleet: Fleet | undefined;
  readonly refusedAtMost: number; // share of the requests
  readonly clientsAtMost: number; // share of the clients
}

/** What a configuration refuses of the requests. */
export interface Refused {
  readonly refused: number;
  readonly refusedClients: ReadonlySet<number>;
  readonly rules: readonly RuleCount[];
}

interface ChangedNumber {
  readonly rule: number; // index
  readonly number: NumberInFile;
  readonly value: number; // the new one
}

/** What would do if a few clients had sent nothing. */
interface ChangeWithout {
  readonly clients: readonly number[];
  readonly value: number; // of the one changed number; equal to its present value: no change is needed
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

export function findSmallestChange(
  configuration: EditableConfiguration,
  question: ChangeQuestion,
): SmallestChange {
  const change = searchChange(configuration, question);
  return { ...change, without: findWithout(configuration, question, change) };
}

type FoundChange = Omit<SmallestChange, "without">;

function searchChange(configuration: EditableConfiguration, question: ChangeQuestion): FoundChange {
  const clients = new Set(question.requests.clients).size;
  const { rules } = configuration.candidate.configuration;
  const isMet = ({ refused, refusedClients }: Refused): boolean =>
    refused <= question.refusedAtMost * question.requests.clients.length &&
    refusedClients.size <= question.clientsAtMost * clients;
  const decide: Decide = (changes) => {
    const { files, candidate } = replaceNumbers(configuration, changes);
    return isFailure(candidate) ? null : { files, result: decideRecorded(candidate, question) };
  };
  const present = decideRecorded(configuration.candidate, question);
  let changes: readonly ChangedNumber[] = [];
  let found: Decided = { files: configuration.files, result: present };
  const tried = new Set<number>();
  while (!isMet(found.result) && tried.size < MOST_RULES) {
    const rule = findNext(found.result, tried);
    if (rule === null) break;
    tried.add(rule);
    const number = findNumber(configuration, rules[rule]!);
    if (number === null) break;
    const others = changes.filter((each) => !isSame(each.number, number));
    const from = changes.find((each) => isSame(each.number, number))?.value ?? number.value;
    const isEnough = (result: Refused): boolean =>
      isMet(result) || result.rules[rule]!.refused === 0;
    const raised = findLeast(from, null, (value) => {
      const decided = decide([...others, { rule, number, value }]);
      return decided !== null && isEnough(decided.result) ? decided : null;
    });
    if (raised === null) break;
    changes = [...others, { rule, number, value: raised.value }];
    found = raised.found;
  }
  // A number was raised before the others were, and may need less with them.
  if (changes.length > 0 && tried.size > 1 && isMet(found.result))
    for (const change of changes) {
      const { number, value: most } = change;
      const others = changes.filter((each) => each.number !== number);
      const least = findLeast(number.value - 1, { value: most, found }, (value) => {
        const decided = decide([...others, { ...change, value }]);
        return decided !== null && isMet(decided.result) ? decided : null;
      })!;
      const isChanged = least.value !== number.value;
      changes = isChanged ? [...others, { ...change, value: least.value }] : others;
      found = least.found;
    }
  return {
    clients,
    present,
    isMet: isMet(present),
    changes,
    after: changes.length === 0 ? null : found.result,
    isMetAfter: isMet(found.result),
    files: found.files,
  };
}

interface Decided {
  readonly files: readonly ConfigurationFile[];
  readonly result: Refused;
}

/** Null: the files cannot be read with these numbers. */
type Decide = (changes: readonly ChangedNumber[]) => Decided | null;

const isSame = (a: NumberInFile, b: NumberInFile): boolean =>
  a.file === b.file && a.line === b.line && a.from === b.from;

/** The rule that refuses most and has not been tried; null: there is none. */
function findNext({ rules }: Refused, tried: ReadonlySet<number>): number | null {
  const open = [...rules.entries()].filter(
    ([index, { refused }]) => refused > 0 && !tried.has(index),
  );
  return open.toSorted(([, a], [, b]) => b.refused - a.refused)[0]?.[0] ?? null;
}

interface FoundValue {
  readonly value: number;
  readonly found: Decided;
}

/** The least number above `from` that is enough; null: none is. `known` is one that is enough. */
function findLeast(
  from: number,
  known: FoundValue | null,
  attempt: (value: number) => Decided | null,
): FoundValue | null {
  const tryValue = (value: number): FoundValue | null => {
    const found = attempt(value);
    return found === null ? null : { value, found };
  };
  let low = from;
  let high = known;
  for (let doublings = 0; doublings < MOST_DOUBLINGS && high === null; doublings++) {
    high = tryValue(2 * Math.max(1, low));
    if (high === null) low = 2 * Math.max(1, low);
  }
  if (high === null) return null;
  while (high.value - low > 1) {
    const middle = Math.floor((low + high.value) / 2);
    const found = tryValue(middle);
    if (found === null) low = middle;
    else high = found;
  }
  return high;
}

/** The few clients that half of the new number would still refuse, and what would do without them. */
function findWithout(
  configuration: EditableConfiguration,
  question: ChangeQuestion,
  { changes: [change, ...others], isMetAfter }: FoundChange,
): ChangeWithout | null {
  if (change === undefined || others.length > 0 || !isMetAfter) return null;
  const { number, value } = change;
  const half = Math.max(number.value, Math.floor(value / 2));
  const { candidate } = replaceNumber(configuration, number, half);
  if (isFailure(candidate)) return null;
  const clients = decideRecorded(candidate, question).refusedClients;
  if (clients.size > MOST_OUTLIERS) return null;
  const requests = leaveOut(question.requests, clients);
  if (requests.clients.length === 0) return null;
  const { changes, isMetAfter: isEnough } = searchChange(configuration, { ...question, requests });
  const [first, second] = changes;
  if (!isEnough || second !== undefined) return null;
  if (first !== undefined && (!isSame(first.number, number) || first.value >= value)) return null;
  return { clients: [...clients], value: first?.value ?? number.value };
}

function leaveOut(
  { clients, targets, atUs }: RecordedRequests,
  omitted: ReadonlySet<number>,
): RecordedRequests {
  const isOther = (_: number, row: number): boolean => !omitted.has(clients[row]!);
  return {
    clients: clients.filter(isOther),
    targets: targets.filter(isOther),
    atUs: atUs.filter(isOther),
  };
}

function decideRecorded(
  candidate: RulesCandidate,
  { requests, names, fleet }: ChangeQuestion,
): Refused {
  const limiter = startCandidate(onFleet(candidate, fleet), names);
  const { clients, targets, atUs } = requests;
  const refusedClients = new Set<number>();
  let refused = 0;
  for (const [row, client] of clients.entries()) {
    if (limiter.decide(client, targets[row]!, atUs[row]!) === 0) continue;
    refused++;
    refusedClients.add(client);
  }
  limiter.end?.();
  return { refused, refusedClients, rules: limiter.ruleCounts!() };
}
