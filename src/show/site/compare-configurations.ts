// Compares two configurations of another limiter as `weir diff` does on described clients, in memory and without files.
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { micros, SECOND } from "../../kit/units.ts";
import type { ConfigurationFile } from "../../lab/implementations/reading.ts";
import { readRules } from "../../lab/implementations/read-configuration.ts";
import { KINDS } from "../../lab/implementations/readers.ts";
import { decidePlanned, parseSent, sendInstead } from "../../studies/diff/decide-planned.ts";
import { buildDiffResult } from "../../studies/diff/result.ts";
import { diffText } from "../../studies/diff/text.ts";
import { fieldsOfRules, type RulesCandidate } from "../../studies/replay/rules.ts";
import { parseSelector } from "../../studies/replay/selectors.ts";
import type { PopulationName } from "../../studies/try/populations.ts";
import { planDescribed } from "../../studies/try/planned.ts";
import { addAnswer } from "../answers/answer.ts";
import { answerDiff } from "../answers/diff.ts";

/** What each of some clients sends for ten minutes. */
export interface DescribedClients {
  readonly clients: number;
  readonly perMinute: number; // requests of each client
  readonly population: PopulationName;
  readonly send: string; // a method and a path
}

export interface ComparedFiles {
  readonly before: ConfigurationFile;
  readonly after: ConfigurationFile;
}

/** A page has no thread to spare for a file that is longer. */
export const MOST_LETTERS = 1_000_000;
const MOST_CLIENTS = 1_000;
const MOST_REQUESTS = 300_000;
const MINUTES = 10;
const SEED = 1;
const TOP = 10;

/** What `weir diff OLD NEW` prints. */
export interface ComparisonWords {
  readonly sentences: readonly string[]; // its answer, or why there is none
  readonly tables: readonly string[]; // lines
}

export function compareConfigurations(
  { before, after }: ComparedFiles,
  { clients, perMinute, population, send }: DescribedClients,
): ComparisonWords | Failure {
  const read = [before, after].map(readCandidate);
  const failures = read.filter(isFailure);
  if (failures.length > 0) return new Failure(...failures.flatMap(({ problems }) => problems));
  const [old, now] = read as [ReadCandidate, ReadCandidate];
  if (!Number.isInteger(clients) || clients < 1 || clients > MOST_CLIENTS)
    return new Failure(`The number of clients must be an integer from 1 to ${MOST_CLIENTS}.`);
  if (!(perMinute >= 0.1) || clients * perMinute * MINUTES > MOST_REQUESTS)
    return new Failure(
      `Each client must send at least one request in ten minutes, and all together ${MOST_REQUESTS.toLocaleString("en-US")} at most.`,
    );
  const sent = parseSent(send);
  if (sent === null)
    return new Failure(`"${send}" is no request; write a method and a path, such as GET /items.`);
  const { variant, ...planned } = planDescribed(
    {
      clients,
      rate: perMinute / 60,
      population,
      bursts: null,
      perAddress: null,
      forUs: micros(60 * MINUTES * SECOND),
    },
    SEED,
  );
  const traffic = { file: null, ...planned, variant: sendInstead(variant, sent) };
  const pair = { before: old.candidate, after: now.candidate };
  const key = parseSelector("ip");
  if (isFailure(key)) return key;
  const sender = [...fieldsOfRules(pair.before), ...fieldsOfRules(pair.after)];
  const facts = decidePlanned(traffic, { pair, key: [key], sender });
  const result = addAnswer(buildDiffResult({ ...facts, key: "ip", top: TOP }), answerDiff);
  const doubts = [old, now].flatMap(({ doubt }) => (doubt === null ? [] : `Warning: ${doubt}.`));
  return {
    sentences: [...result.answer.map(({ text }) => text), ...doubts],
    tables: diffText(result, (_, text) => text),
  };
}

interface ReadCandidate {
  readonly candidate: RulesCandidate;
  readonly doubt: string | null;
}

function readCandidate({ file, text }: ConfigurationFile): ReadCandidate | Failure {
  if (text.length > MOST_LETTERS)
    return new Failure(`${file} is too large for a page; use weir diff OLD NEW.`);
  if (text.trim() === "") return new Failure(`${file} is empty; paste it, or drop a file.`);
  // A page has no other files: the reader reports each file that this one includes.
  const read = readRules({ file, text }, () => [], { kind: null, values: new Map() });
  if (isFailure(read)) return new Failure(...read.problems.map((problem) => `${problem}.`));
  return read === null
    ? new Failure(`${file} is no configuration that Weir reads: ${KINDS.join(", ")}.`)
    : {
        candidate: { kind: "rules", file, configuration: read.configuration },
        doubt: read.doubt,
      };
}
