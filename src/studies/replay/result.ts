// The document of weir replay.
import { z } from "zod";
import { answerSchema } from "../../lab/report/answer.ts";
import { SEPARATOR, type NameTable } from "./names.ts";
import { CHARGE_TIMES } from "./choices.ts";
import type { Candidate } from "./candidates.ts";
import { identityOf } from "./identity.ts";
import { configurationSide, sideOf } from "./configuration-side.ts";
import { endpointSchema, mostRefusedEndpoints } from "./endpoints.ts";
import type { LogFile } from "./log-file.ts";
import type { CandidateRun, Replay } from "./replay.ts";
import type { RetryTally } from "./retries.ts";
import type { Tally } from "./tally.ts";

const REPLAY_FORMAT = "weir-replay/1";

const count = z.int().min(0);
const share = z.number().min(0).max(1);
const time = z.iso.datetime();

const example = z.strictObject({ line: count, text: z.string().nullable() });

export const replayedLog = z.strictObject({
  file: z.string(),
  format: z.string(),
  lines: count,
  requests: count,
  unreadable: count,
  unreadableExamples: z.array(example).readonly(),
  withoutKey: count,
  /** Requests without a method or path, which a world needs. */
  withoutEndpoint: count,
  notSelected: count,
  takesDurationOff: z.boolean(),
  hasDurations: z.boolean(),
  /** Requests without a duration, in a log with durations. Each is replayed as if it took no time. */
  withoutDuration: count,
  /** Requests without a cost: they cost 1. */
  withoutCost: count,
  /** Costs that are no whole number and are rounded up. */
  roundedCosts: count,
  /** Fields of the sender (ip or header:NAME) that worlds read and the first lines lack. */
  absentFields: z.array(z.string()).readonly(),
  /** Why the log could not be read to its end; null: it could. */
  cut: z.string().nullable(),
});

const refusedClient = z.strictObject({
  client: z.string(),
  requests: count,
  refused: count,
  firstAt: time,
  lastAt: time,
});

const retried = z.strictObject({
  behaviour: z.string(),
  attempts: count,
  refusedAttempts: count,
  /** Requests that were admitted at an attempt after the first. */
  admittedLater: count,
  gaveUp: count,
  longestWaitUs: count,
});

const placed = z.strictObject({ placement: z.string(), refused: count, refusedClients: count });

const units = z.strictObject({
  refused: count,
  /** Units of all admitted requests, even if they end after the last request of the log. */
  spent: count,
  /** The most units that one client spends within any window of the limit. */
  mostInWindow: count,
  aboveLimit: z.number().min(0),
  mostClient: z.string().nullable(),
  /** The end of the window with the most units. */
  mostAt: time.nullable(),
});

const candidate = z.strictObject({
  /** A candidate is a limit with an algorithm or a profile, or a file. */
  limit: z.string().nullable(),
  rate: z.number().min(0).nullable(),
  perUs: count.nullable(),
  algorithm: z.string().nullable(),
  profile: z.string().nullable(),
  burst: z.number().min(0).nullable(), // requests that GCRA admits at once; null: another algorithm
  world: z.string().nullable(), // the file of a world, or of a configuration of another limiter
  /** The rules of a configuration, and its fleet; null: it is a limit or a world on one instance. */
  configuration: configurationSide.nullable(),
  refused: count,
  refusedShare: share.nullable(), // null: there are no requests
  refusedClients: count,
  refusedClientShare: share.nullable(),
  /** Requests that a world rejects before any limit: no such API, no such key, or no access. */
  rejected: count,
  /** Requests that a leaky bucket admitted, but only after a wait. */
  delayed: count,
  longestDelayUs: count,
  firstAt: time.nullable(),
  lastAt: time.nullable(),
  /** The charged units; null: each request costs 1. */
  units: units.nullable(),
  /** Results under each placement of requests within seconds. The other numbers are those of the first placement. */
  placements: z.array(placed).readonly(),
  /** Results if refused clients retry; null: not requested. */
  retries: retried.nullable(),
  /** The fewest clients that have at least 90 % of the refusals; null: nothing is refused. */
  fewest: z.strictObject({ clients: count, refused: count }).nullable(),
  /** The clients with the most refusals. */
  clients: z.array(refusedClient).readonly(),
  /** The endpoints with the most refusals by a configuration of another limiter. */
  endpoints: z.array(endpointSchema).readonly(),
});

const replayResult = z.strictObject({
  format: z.literal(REPLAY_FORMAT),
  answer: answerSchema,
  key: z.string(),
  /** The fields whose sum is the cost, and when it is charged; null: each request costs 1. */
  cost: z.strictObject({ field: z.string(), charge: z.enum(CHARGE_TIMES) }).nullable(),
  logs: z.array(replayedLog).readonly(),
  skipped: z.array(z.string()).readonly(),
  isInterrupted: z.boolean(),
  requests: count,
  clients: count,
  firstAt: time.nullable(),
  lastAt: time.nullable(),
  timestamps: z.enum(["whole seconds", "finer"]),
  candidates: z.array(candidate).readonly(),
  /** Steps that have a request: their requests, and the refusals of each candidate in the order of candidates. */
  overTime: z.strictObject({
    stepSeconds: count,
    startAt: z.array(time).readonly(),
    requests: z.array(count).readonly(),
    refused: z.array(z.array(count).readonly()).readonly(),
  }),
});

export type ReplayResult = z.infer<typeof replayResult>;
export type UnansweredReplay = Omit<ReplayResult, "answer">;
export type ReplayedLog = z.infer<typeof replayedLog>;
export type ReplayedCandidate = ReplayResult["candidates"][number];

export const replaySchema = (): unknown => z.toJSONSchema(replayResult);

export interface ReplayFacts {
  readonly key: string;
  readonly cost: ReplayResult["cost"];
  readonly replay: Replay;
  readonly clients: NameTable;
  readonly targets?: NameTable | null; // null or left out: no candidate reads method and path
  readonly files: readonly LogFile[];
  readonly skipped: readonly string[];
  readonly cut: readonly { readonly name: string; readonly why: string }[];
  readonly isInterrupted: boolean;
  /** How many clients are listed for each candidate. */
  readonly top: number;
  /** Replaces names of clients, and hides example lines; null: names are those of the log. */
  readonly rename: ((name: string) => string) | null;
}

export function buildReplayResult(facts: ReplayFacts): UnansweredReplay {
  const { key, cost, replay, files, cut, isInterrupted, skipped, rename } = facts;
  const { requests, firstUs, lastUs, runs, overTime, placements } = replay;
  const clients = replay.requestsOf.reduce((sum, each) => sum + (each > 0 ? 1 : 0), 0);
  const steps = overTime.steps();
  return {
    format: REPLAY_FORMAT,
    key,
    cost,
    logs: files.map((file) => logOf(file, cut, rename !== null)),
    skipped,
    isInterrupted,
    requests,
    clients,
    firstAt: requests === 0 ? null : isoTime(firstUs),
    lastAt: requests === 0 ? null : isoTime(lastUs),
    timestamps: placements.length > 1 ? "whole seconds" : "finer",
    candidates: runs.map((run) => candidateOf(run, facts, clients)),
    overTime: {
      stepSeconds: overTime.stepUs / 1_000_000,
      startAt: steps.map(({ startUs }) => isoTime(startUs)),
      requests: steps.map(({ counts }) => counts[0]!),
      refused: runs.map((_, index) => steps.map(({ counts }) => counts[index + 1]!)),
    },
  };
}

export const isoTime = (us: number): string => new Date(us / 1000).toISOString();

export const logOf = (
  file: LogFile,
  cut: ReplayFacts["cut"],
  isAnonymous: boolean,
): ReplayedLog => {
  const examplesOf = (examples: LogFile["unreadableExamples"]) =>
    examples.map(({ line, text }) => ({ line, text: isAnonymous ? null : text }));
  return {
    file: file.name,
    format: file.format.name,
    lines: file.lines,
    requests: file.requests,
    unreadable: file.unreadable,
    unreadableExamples: examplesOf(file.unreadableExamples),
    withoutKey: file.withoutKey,
    withoutEndpoint: file.withoutEndpoint,
    notSelected: file.notSelected,
    takesDurationOff: file.takesDurationOff,
    hasDurations: file.hasDurations,
    withoutDuration: file.withoutDuration,
    withoutCost: file.withoutCost,
    roundedCosts: file.roundedCosts,
    absentFields: file.absentFields,
    cut: cut.find(({ name }) => name === file.name)?.why ?? null,
  };
};

function candidateOf(
  { candidate, tallies, retries }: CandidateRun,
  facts: ReplayFacts,
  clients: number,
): ReplayedCandidate {
  const { replay } = facts;
  const first = tallies[0]!;
  const hasRefused = first.refusedRequests > 0;
  return {
    ...identityOf(candidate),
    configuration:
      candidate.kind === "rules" || candidate.fleet !== undefined
        ? sideOf(candidate, first.ruleCounts)
        : null,
    refused: first.refusedRequests,
    refusedShare: replay.requests === 0 ? null : first.refusedRequests / replay.requests,
    refusedClients: first.refusedClients,
    refusedClientShare: clients === 0 ? null : first.refusedClients / clients,
    rejected: first.rejectedRequests,
    delayed: first.delayedRequests,
    longestDelayUs: Math.ceil(first.longestDelayUs),
    firstAt: hasRefused ? isoTime(first.firstUs) : null,
    lastAt: hasRefused ? isoTime(first.lastUs) : null,
    units: unitsOf(candidate, first, facts),
    placements: tallies.map((tally, index) => ({
      placement: replay.placements[index]!.name,
      refused: tally.refusedRequests,
      refusedClients: tally.refusedClients,
    })),
    retries: retries === null ? null : retriesOf(retries),
    fewest: fewestOf(first),
    clients: topClients(first, facts),
    endpoints: mostRefusedEndpoints(first.targetCounts, facts),
  };
}

const FEWEST_SHARE = 0.9;

function fewestOf({
  refusedRequests,
  refusedClients,
  refusedOf,
}: Tally): ReplayedCandidate["fewest"] {
  if (refusedRequests === 0) return null;
  const sorted = refusedOf.slice(0, refusedClients).toSorted((a, b) => b - a);
  let [clients, refused] = [0, 0];
  while (refused < FEWEST_SHARE * refusedRequests) refused += sorted[clients++]!;
  return { clients, refused };
}

function unitsOf(
  candidate: Candidate,
  { refusedUnits, meter }: Tally,
  { clients, rename }: ReplayFacts,
): ReplayedCandidate["units"] {
  if (meter === null || candidate.kind !== "limit") return null;
  const { spentUnits, mostUnits, mostClient, mostAtUs } = meter;
  const name = mostClient < 0 ? null : clientName(clients.nameOf(mostClient));
  return {
    refused: refusedUnits,
    spent: spentUnits,
    mostInWindow: mostUnits,
    aboveLimit: Math.max(0, mostUnits - candidate.limit.rate),
    mostClient: name === null || rename === null ? name : rename(name),
    mostAt: name === null ? null : isoTime(mostAtUs),
  };
}

const clientName = (name: string): string =>
  name.replaceAll(String.fromCodePoint(SEPARATOR), " + ");

const retriesOf = (retries: RetryTally): ReplayedCandidate["retries"] => ({
  behaviour: retries.behaviour,
  attempts: retries.attempts,
  refusedAttempts: retries.refusedAttempts,
  admittedLater: retries.admittedLater,
  gaveUp: retries.gaveUp,
  longestWaitUs: Math.round(retries.longestWaitUs),
});

/** The numbers of the clients with the most refusals. */
export const mostRefused = (tally: Tally, count: number): readonly number[] =>
  mostRefusedPlaces(tally, count).map((place) => tally.ids[place]!);

/** The rows of the most refused clients in the columns of a tally. Ties keep the order of clients in the log. */
function mostRefusedPlaces(
  { refusedClients, ids, refusedOf }: Tally,
  count: number,
): readonly number[] {
  const places = Array.from({ length: refusedClients }, (_, place) => place);
  return places
    .toSorted((a, b) => refusedOf[b]! - refusedOf[a]! || ids[a]! - ids[b]!)
    .slice(0, count);
}

function topClients(
  tally: Tally,
  { replay, clients: table, top, rename }: ReplayFacts,
): ReplayedCandidate["clients"] {
  const { ids, refusedOf, firstOf, lastOf } = tally;
  return mostRefusedPlaces(tally, top).map((place) => {
    const id = ids[place]!;
    const name = clientName(table.nameOf(id));
    return {
      client: rename === null ? name : rename(name),
      requests: replay.requestsOf[id]!,
      refused: refusedOf[place]!,
      firstAt: isoTime(firstOf[place]!),
      lastAt: isoTime(lastOf[place]!),
    };
  });
}
