// Random logs and pairs of limits for tests of weir diff, and the result of the real study for them.
import * as fc from "fast-check";
import { micros } from "#src/kit/units.ts";
import { readOptions } from "#src/limiter/world/options.ts";
import { strictFindings } from "#src/limiter/world/place.ts";
import { DecideBoth } from "#src/studies/diff/decide-both.ts";
import type { DiffPair } from "#src/studies/diff/pair.ts";
import { buildDiffResult, type UnansweredDiff } from "#src/studies/diff/result.ts";
import type { Candidate, ReplayLimit } from "#src/studies/replay/candidates.ts";
import { NameTable } from "#src/studies/replay/names.ts";
import { AS_LOGGED } from "#src/studies/replay/placements.ts";
import type { ReadConfiguration } from "#src/lab/implementations/reading.ts";
import { NGINX_READER } from "#src/lab/implementations/nginx/read.ts";
import { requireValue } from "#src/kit/reading/failure.ts";

export interface LoggedRequest {
  readonly atUs: number;
  readonly client: number;
  readonly path: number;
}

export const START_US = Date.UTC(2026, 0, 5, 10) * 1000;

export const randomLog: fc.Arbitrary<readonly LoggedRequest[]> = fc
  .array(
    fc.record({
      at: fc.integer({ min: 0, max: 400 }),
      client: fc.nat({ max: 5 }),
      path: fc.nat({ max: 2 }),
    }),
    { minLength: 1, maxLength: 120, size: "max" },
  )
  .map((requests) =>
    requests
      .map(({ at, ...request }) => ({ atUs: START_US + at * 25_000, ...request }))
      .toSorted((a, b) => a.atUs - b.atUs),
  );

const randomLimit: fc.Arbitrary<ReplayLimit> = fc
  .record({
    rate: fc.integer({ min: 1, max: 12 }),
    seconds: fc.constantFrom(1, 2, 5),
    algorithm: fc.constantFrom("sliding_log", "fixed_window", "token_bucket", "gcra"),
  })
  .map(({ rate, seconds, algorithm }) => ({
    kind: "limit",
    limit: { rate, perUs: micros(seconds * 1_000_000) },
    by: { kind: "algorithm", name: algorithm },
    options: readOptions({ raw: { algorithm }, path: [], findings: strictFindings([], []) }),
  }));

const readNginx = (file: string, text: string): ReadConfiguration =>
  requireValue(NGINX_READER.read({ file, text }, () => [], new Map()));

/** A configuration of nginx with a limit of `rate` a second by address, and one for the path /1. */
export const rulesOf = (rate: number, burst: number, more = ""): Candidate => ({
  kind: "rules",
  file: `nginx-${rate}.conf`,
  configuration: readNginx(
    `nginx-${rate}.conf`,
    `limit_req_zone $remote_addr zone=all:1m rate=${rate}r/s;
limit_req_zone everyone zone=one:1m rate=${2 * rate}r/s;
server { limit_req zone=all burst=${burst}; location = /1 { limit_req zone=one burst=${burst}; ${more} } }`,
  ),
});

const randomRules: fc.Arbitrary<Candidate> = fc
  .tuple(
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom(
      "",
      "limit_conn a 1;",
      "limit_req_dry_run on;",
      "return 204;",
      "limit_req_status 429;",
    ),
  )
  .map((parts) => rulesOf(...parts));

/** Its limit is of a path that no request has. */
const IDLE: Candidate = {
  kind: "rules",
  file: "idle.conf",
  configuration: readNginx(
    "idle.conf",
    `limit_req_zone $remote_addr zone=all:1m rate=1r/s;
server { location = /9 { limit_req zone=all; } }`,
  ),
};

/** One of them has one more statement. */
const nearlySame: fc.Arbitrary<readonly [Candidate, Candidate]> = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
  .map(([rate, burst]) => [rulesOf(rate, burst), rulesOf(rate, burst, "limit_req_dry_run on;")]);

export const randomPair: fc.Arbitrary<DiffPair> = fc
  .oneof(
    { weight: 5, arbitrary: fc.tuple(randomLimit, randomLimit) },
    { weight: 5, arbitrary: fc.tuple(randomRules, randomRules) },
    { weight: 5, arbitrary: nearlySame },
    { weight: 1, arbitrary: fc.tuple(randomRules, fc.constant(IDLE)) },
  )
  .map(([before, after]) => ({ before, after }));

export const addressOf = (client: number): string => `192.0.2.${client + 1}`;

export const nameTable = (names: readonly string[]): NameTable => {
  const table = new NameTable();
  for (const name of names) {
    const bytes = new TextEncoder().encode(name);
    table.idOf(bytes, 0, bytes.length);
  }
  return table;
};

export interface DiffSetting {
  readonly isWholeSeconds?: boolean;
  readonly top?: number;
}

/** What the study finds. The target of a request has its path and, for rules, the address of its client. */
export function diffOf(
  pair: DiffPair,
  requests: readonly LoggedRequest[],
  { isWholeSeconds = false, top = 10 }: DiffSetting = {},
): UnansweredDiff {
  const clients = nameTable([0, 1, 2, 3, 4, 5].map(addressOf));
  const targetOf = ({ client, path }: LoggedRequest): string =>
    `GET /${path}?x=${client}\u001F${addressOf(client)}`;
  const targetNames = [...new Set(requests.map(targetOf))];
  const targets = nameTable(targetNames);
  const sender = [{ kind: "field of every log", name: "ip" }] as const;
  const decided = new DecideBoth(pair, { clients, targets, sender }, AS_LOGGED);
  const half = Math.ceil(requests.length / 2);
  for (const part of [requests.slice(0, half), requests.slice(half)])
    // in parts, as a log is read
    decided.decide({
      count: part.length,
      atUs: Float64Array.from(part, ({ atUs }) => atUs),
      clients: Int32Array.from(part, ({ client }) => client),
      targets: Int32Array.from(part, (each) => targetNames.indexOf(targetOf(each))),
    });
  decided.end();
  return buildDiffResult({
    pair,
    decided,
    key: "ip",
    clientNames: clients.names,
    targetNames: targets.names,
    files: [],
    cut: [],
    isWholeSeconds,
    isInterrupted: false,
    top,
  });
}
