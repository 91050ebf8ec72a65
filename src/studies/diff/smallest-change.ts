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
  readonly refusedClients: number;
  readonly rules: readonly RuleCount[];
}

interface ChangedNumber {
  readonly rule: number; // index
  readonly number: NumberInFile;
  readonly value: number; // the new one
}

export interface SmallestChange {
  readonly clients: number;
  readonly present: Refused;
  readonly isMet: boolean; // by the present numbers
  readonly changes: readonly ChangedNumber[];
  readonly after: Refused | null; // with the changes; null: there are none
  readonly isMetAfter: boolean;
  readonly files: readonly ConfigurationFile[]; // with the changes
}

const MOST_DOUBLINGS = 24;
const MOST_RULES = 8;

export function findSmallestChange(
  configuration: EditableConfiguration,
  question: ChangeQuestion,
): SmallestChange {
  const clients = new Set(question.requests.clients).size;
  const decide = (candidate: RulesCandidate): Refused => decideRecorded(candidate, question);
  const isMet = ({ refused, refusedClients }: Refused): boolean =>
    refused <= question.refusedAtMost * question.requests.clients.length &&
    refusedClients <= question.clientsAtMost * clients;
  const present = decide(configuration.candidate);
  let current: EditableConfiguration = configuration;
  let result = present;
  const changes: ChangedNumber[] = [];
  while (!isMet(result) && changes.length < MOST_RULES) {
    const index = findNext(result, changes);
    if (index === null) break;
    const rule = current.candidate.configuration.rules[index]!;
    const number = findNumber(current, rule);
    if (number === null) break;
    const found = raiseNumber(current, number, (candidate) => {
      const refused = decide(candidate);
      return { isEnough: isMet(refused) || refused.rules[index]!.refused === 0, refused };
    });
    if (found === null) break;
    changes.push({ rule: index, number, value: found.value });
    current = { ...current, files: found.files, candidate: found.candidate };
    result = found.refused;
  }
  return {
    clients,
    present,
    isMet: isMet(present),
    changes,
    after: changes.length === 0 ? null : result,
    isMetAfter: isMet(result),
    files: current.files,
  };
}

/** The rule that refuses most and has not been changed; null: there is none. */
function findNext({ rules }: Refused, changes: readonly ChangedNumber[]): number | null {
  const open = [...rules.entries()].filter(
    ([index, { refused }]) => refused > 0 && changes.every(({ rule }) => rule !== index),
  );
  return open.toSorted(([, a], [, b]) => b.refused - a.refused)[0]?.[0] ?? null;
}

interface RaisedNumber {
  readonly value: number;
  readonly files: readonly ConfigurationFile[];
  readonly candidate: RulesCandidate;
  readonly refused: Refused;
}

type Judge = (candidate: RulesCandidate) => {
  readonly isEnough: boolean;
  readonly refused: Refused;
};

/** The smallest larger number that is enough; null: none is. */
function raiseNumber(
  configuration: EditableConfiguration,
  number: NumberInFile,
  judge: Judge,
): RaisedNumber | null {
  const attempt = (value: number): RaisedNumber | null => {
    const { files, candidate } = replaceNumber(configuration, number, value);
    if (isFailure(candidate)) return null;
    const { isEnough, refused } = judge(candidate);
    return isEnough ? { value, files, candidate, refused } : null;
  };
  let low = number.value;
  let high: RaisedNumber | null = null;
  for (let doublings = 0; doublings < MOST_DOUBLINGS && high === null; doublings++) {
    high = attempt(2 * Math.max(1, low));
    if (high === null) low = 2 * Math.max(1, low);
  }
  if (high === null) return null;
  while (high.value - low > 1) {
    const middle = Math.floor((low + high.value) / 2);
    const found = attempt(middle);
    if (found === null) low = middle;
    else high = found;
  }
  return high;
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
  return { refused, refusedClients: refusedClients.size, rules: limiter.ruleCounts!() };
}
