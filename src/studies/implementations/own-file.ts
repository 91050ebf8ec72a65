// The file of a user, as a program is started with it here, and requests that meet its limits.
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { client } from "../../limiter/core/client.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  Includes,
  ReadConfiguration,
} from "../../lab/implementations/reading.ts";
import { StartedRules } from "../../lab/implementations/started-rules.ts";
import type { Failure } from "../../kit/reading/failure.ts";
import { chance, pick } from "./draw-parts.ts";
import {
  factsOf,
  type ConfigurationProgram,
  type DrawnConfiguration,
  type DrawnRequest,
} from "./drawn-configuration.ts";

export interface OwnFile {
  readonly main: ConfigurationFile;
  readonly includes: Includes;
  readonly text: string; // of all its files
  readonly configuration: ReadConfiguration;
}

/** A program that can be started with the file of a user: at another port, without certificates and upstreams. */
export interface OwnProgram extends Pick<DrawnConfiguration, "main" | "startAt"> {
  readonly reader: ConfigurationReader;
  /** By how much its clock and its rounding move its edges. */
  readonly marginOf: (configuration: ReadConfiguration) => number;
  readonly decisionsOf: (configuration: ReadConfiguration) => ConfigurationProgram["decisions"];
  readonly filesOf: (own: OwnFile) => DrawnConfiguration["filesAt"] | Failure;
}

/** Each draw has the same file, and other requests. */
export function programOfFile(
  { reader, main, startAt, marginOf, decisionsOf }: OwnProgram,
  { configuration, text }: OwnFile,
  filesAt: DrawnConfiguration["filesAt"],
): ConfigurationProgram {
  return {
    reader,
    decisions: decisionsOf(configuration),
    draw: (seed) => ({
      main,
      ...(startAt === undefined ? {} : { startAt }),
      marginUs: marginOf(configuration),
      filesAt,
      configuration,
      requests: drawRequests(configuration, text, rng(seed, `requests of ${reader.kind}`)),
    }),
  };
}

type Sent = Omit<DrawnRequest, "atUs">;

/** The most requests that are drawn to find some of each limit, and the most limits that they are tested by. */
const CANDIDATES = 8_000;
const MOST_TESTS = 400_000;
const OF_RULE = 2; // requests by which each limit is used up
/** The most requests at once. */
export const MOST_AT_ONCE = 60;
const MOST_REQUESTS = 600;
const LONGEST_US = 3_000_000;
const OTHERS = 30;

function drawRequests(
  configuration: ReadConfiguration,
  text: string,
  random: Rng,
): readonly DrawnRequest[] {
  const words = wordsOf(configuration, text);
  const drawn: DrawnRequest[] = [];
  const send = (sent: Sent, atUs: number): void => void drawn.push({ ...sent, atUs });
  const someTime = (): number => Math.round(LONGEST_US * random.next());
  const found = findOfRules(configuration, () => drawOne(words, random));
  for (const [rule, counted] of found.entries())
    for (const sent of counted) {
      const { isDryRun } = configuration.rules[rule]!;
      const burst = isDryRun ? 1 : requestsUntilRefused(configuration, sent);
      if (burst === null || drawn.length + burst > MOST_REQUESTS) continue;
      const atUs = Math.round(someTime() / 2);
      for (let nth = 0; nth < burst + 2; nth++) send(sent, atUs);
      for (let nth = 0; nth < 4; nth++) send(sent, someTime());
    }
  for (let nth = 0; nth < OTHERS; nth++) send(drawOne(words, random), someTime());
  return drawn.toSorted((a, b) => a.atUs - b.atUs);
}

/** Some requests that each rule counts and may refuse. */
function findOfRules({ rules }: ReadConfiguration, draw: () => Sent): readonly (readonly Sent[])[] {
  const found = rules.map((): Sent[] => []);
  const most = Math.min(CANDIDATES, Math.ceil(MOST_TESTS / rules.length));
  for (let nth = 0; nth < most && found.some(({ length }) => length < OF_RULE); nth++) {
    const sent = draw();
    const facts = factsOf({ ...sent, atUs: 0 });
    for (const [index, { budgetOf, mayRefuse }] of rules.entries()) {
      const counted = found[index]!;
      if (counted.length === OF_RULE || mayRefuse?.(facts) === false) continue;
      if (budgetOf(facts) !== null) counted.push(sent);
    }
  }
  return found;
}

/** How many requests at once use a limit up; null: more than are sent. */
function requestsUntilRefused(configuration: ReadConfiguration, sent: Sent): number | null {
  const facts = factsOf({ ...sent, atUs: 0 });
  const started = new StartedRules(configuration);
  for (let nth = 1; nth <= MOST_AT_ONCE; nth++) {
    const budgets = configuration.rules.map(({ budgetOf, mayRefuse }) => {
      const name = budgetOf(facts);
      return name === null ? null : { client: client(name), mayRefuse: mayRefuse?.(facts) ?? true };
    });
    if (started.decide(budgets, 1_000_000) > 0) return nth;
  }
  return null;
}

interface WordsOfFile {
  readonly paths: readonly string[];
  readonly hosts: readonly string[];
  readonly headers: readonly string[];
  readonly values: readonly string[];
}

const MOST_WORDS = 400;

/** What a file tests: its paths, hosts and other words, and the names of headers, arguments and cookies. */
function wordsOf({ headers }: ReadConfiguration, text: string): WordsOfFile {
  const plain = text.replaceAll(/(?:^|\s)#.*/gm, "");
  const words = unique(plain.split(/[\s"'`;,{}()[\]|=]+/)).slice(0, 20_000);
  const listNames = (pattern: RegExp): readonly string[] =>
    unique([...plain.matchAll(pattern)].map(([, name]) => name!));
  const examples = unique(plain.split(/[\s"'`;{}]+/)).map(exampleOf);
  const paths = examples.flatMap((each) =>
    /^\.\w+$/.test(each) ? `/a${each}` : (/^\/[\w./~-]*$/.exec(each)?.[0] ?? []),
  );
  const values = words.filter((word) => /^[\w.-]{1,30}$/.test(word)).slice(0, MOST_WORDS);
  const cookies = listNames(/\bcookie_(\w+)|\bcook\((\w+)\)/g).map((name) => `${name}=a`);
  return {
    paths: [
      "/",
      "/other",
      ...unique(paths).slice(0, MOST_WORDS),
      ...listNames(/\b(?:arg_|url_param\()(\w+)/g).map((name) => `/?${name}=a`),
    ],
    hosts: [
      "localhost",
      ...words
        .filter((word) => /^(?:\*?\.)?[a-z][\w-]*(?:\.[\w-]+)*\.[a-z]{2,}$/i.test(word))
        .map((word) => word.replace(/^\*?\./, "a."))
        .slice(0, MOST_WORDS),
    ],
    headers: headers.filter((name) => name !== "host"),
    values: ["a", "b", ...cookies, ...values],
  };
}

/** A text that a simple pattern matches; a text without signs of patterns is its own. */
const exampleOf = (pattern: string): string =>
  pattern
    .replaceAll(/\(\?(?::|<\w+>)/g, "(")
    .replaceAll(/\(([^()|]*)[^()]*\)/g, "$1")
    .replaceAll(/\\d[+*]?/g, "1")
    .replaceAll(/(?:\\w|\[[^\]]*\])[+*]?/g, "a")
    .replaceAll(/\.[+*]/g, "x")
    .replaceAll(/\\(.)/g, "$1")
    .replaceAll(/[\^$?*+~()]/g, "");

const unique = (all: readonly string[]): readonly string[] => [...new Set(all)];

const ADDRESSES = ["127.0.1.1", "127.0.1.2", "127.0.2.1"] as const;

function drawOne({ paths, hosts, headers, values }: WordsOfFile, random: Rng): Sent {
  const path = pick(random, paths);
  const below = path.includes("?") ? "" : pick(random, ["", "", "/x", "x", "?x=1"]);
  return {
    address: pick(random, ADDRESSES),
    method: pick(random, ["GET", "GET", "GET", "GET", "POST", "HEAD"]),
    target: path.endsWith("/") && below.startsWith("/") ? path + below.slice(1) : path + below,
    headers: Object.fromEntries([
      ["host", pick(random, hosts)],
      ...headers.flatMap((name) =>
        chance(random, 0.3)
          ? []
          : [[name, pick(random, values.slice(0, chance(random, 0.6) ? 3 : values.length))]],
      ),
    ]) as Readonly<Record<string, string>>,
  };
}
