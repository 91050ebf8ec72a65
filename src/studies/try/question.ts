// A question: traffic in words, and the limits on which it is tried.
import type { Micros } from "../../kit/units.ts";
import type { LimitSize } from "../replay/candidates.ts";
import type { ConfigurationFile } from "../../lab/implementations/reading.ts";
import type { Behaviour } from "../../lab/scenario/types.ts";
import type { PopulationName } from "./populations.ts";
import type { TryRetry } from "./retries.ts";

/** An algorithm, the profile of a foreign limiter, or the file of one, which has its own limits. */
export interface TriedLimiter {
  readonly kind: "algorithm" | "profile" | "file";
  readonly name: string;
  readonly burst: number | "rate" | null; // null: the default of the limiter
}

/** Bursts: each client sends its requests at one instant, repeatedly. */
export interface TriedBursts {
  readonly count: number;
  readonly everyUs: Micros;
  readonly jitterUs: Micros; // each client is late by less than this
  readonly isTogether: boolean; // all clients at the same times; otherwise each at its own
}

/** What clients do with a refused request. */
export interface TriedRetry {
  readonly name: TryRetry;
  readonly behaviour: Behaviour;
}

/** A budget has one client, the clients of an address, or all clients. */
export type BudgetOwner = "client" | "address" | "all";

/** The file of another limiter, as data, because threads copy it. */
export interface TriedFile {
  readonly file: string;
  readonly main: ConfigurationFile;
  /** The files of each include, by its pattern. */
  readonly includes: ReadonlyMap<string, readonly ConfigurationFile[]>;
  readonly kind: string | null; // of --kind
  readonly values: ReadonlyMap<string, string>; // of --set
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The limits that count the requests, the lowest first. */
  readonly rules: readonly TriedRule[];
  readonly owner: BudgetOwner; // of the budget of the lowest limit
  readonly doubts: readonly string[];
}

export interface TriedRule extends LimitSize {
  readonly rule: string;
  readonly limit: string; // in the words of the file
  readonly file: string;
  readonly line: number;
  readonly status: number; // of a refusal
  readonly isDryRun: boolean;
}

export interface TryQuestion {
  readonly file?: TriedFile; // tried next to the limits; left out: none
  readonly clients: number;
  readonly population: PopulationName;
  readonly rate: number | null; // requests per second of each client; null: only bursts
  readonly bursts: TriedBursts | null;
  readonly retries: readonly TriedRetry[];
  readonly isSequential: boolean; // each client waits for the end of a request before the next one
  readonly perAddress: number | null; // clients that share an address and its budget; null: each has a budget
  readonly forUs: Micros;
  readonly gateways: number;
  readonly limits: readonly LimitSize[];
  readonly limiters: readonly TriedLimiter[];
}

/** The requests of clients that are refused nothing. */
export type DescribedTraffic = Pick<
  TryQuestion,
  "clients" | "population" | "rate" | "bursts" | "perAddress" | "forUs"
>;

/** A candidate: a limit, a limiter and a way to retry. Each candidate is a variant of the scenario. */
export interface TryCandidate {
  readonly limit: LimitSize;
  readonly limiter: TriedLimiter;
  readonly retry: TriedRetry;
}

type Candidates = Pick<TryQuestion, "limits" | "limiters" | "retries" | "file">;

/** Lists the candidates in the order of the scenario's variants; those of the file have a scenario of their own. */
export const candidatesOf = ({
  limits,
  limiters,
  retries,
  file,
}: Candidates): readonly TryCandidate[] => [
  ...limits.flatMap((limit) =>
    limiters.flatMap((limiter) => retries.map((retry) => ({ limit, limiter, retry }))),
  ),
  ...(file === undefined
    ? []
    : retries.map((retry) => ({ limit: file.rules[0]!, limiter: limiterOf(file), retry }))),
];

const limiterOf = ({ file }: TriedFile): TriedLimiter => ({
  kind: "file",
  name: file,
  burst: null,
});

/** The candidates that one scenario has: those of the limits, or those of the file. */
export const questionOf = (question: TryQuestion, { kind }: TriedLimiter): TryQuestion => {
  const { file: _, ...others } = question;
  return kind === "file" ? { ...question, limits: [], limiters: [] } : others;
};
