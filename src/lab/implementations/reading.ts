// What a reader finds in the configuration of a limiter: rules that decide requests, and a role for each statement, so
// that no limit is dropped in silence.
import type { GatewayOptions } from "../../limiter/core/config.ts";
import type { Failure } from "../../kit/reading/failure.ts";
import type { Smoothing } from "../../limiter/core/limit.ts";
import type { Micros } from "../../kit/units.ts";

export interface ConfigurationFile {
  readonly file: string;
  readonly text: string;
  /** The other files of a folder that was named. Left out: a file was named. */
  readonly others?: readonly ConfigurationFile[];
}

/** Facts of a request by which rules select requests and identify clients. */
export interface RequestFacts {
  readonly address: string; // empty: unknown
  readonly method: string;
  readonly target: string; // path and query
  readonly host: string; // empty: unknown
  readonly header: (name: string) => string | null; // `name` is in lower case
}

export type RequestTest = (request: RequestFacts) => boolean;

/** One limit of the configuration, with the requests that it counts. */
export interface ReadRule {
  readonly id: string; // names the limit and its place, such as "zone login at location /login"
  readonly file: string;
  readonly line: number;
  readonly limit: {
    readonly rate: number;
    readonly perUs: Micros;
    readonly smoothing?: Smoothing; // left out: none
  };
  readonly written?: string; // the limit in the words of the file, if `limit` has other ones
  readonly cost?: number; // units of `limit` that a request spends; left out: 1
  readonly options: GatewayOptions; // how the program counts
  /** Rules with equal names count in the same budgets. Left out: the rule has budgets of its own. */
  readonly counters?: string;
  /** Whether the instances of a fleet count together. Left out: as the program usually does. */
  readonly sharesCounters?: boolean;
  /** The budget of a request: budgets with equal names are one. Null: the rule does not count the request. */
  readonly budgetOf: (request: RequestFacts) => string | null;
  /** Whether it may refuse a request that it counts. Left out: it may refuse each. */
  readonly mayRefuse?: RequestTest;
  /** `in turn`: it also counts requests that the rules from this index on refuse. Left out: its own index. */
  readonly countsRefusedFrom?: number;
  readonly isDryRun: boolean; // counts and refuses nothing
  readonly status: number; // of a refusal
  /** A request that the rule admits waits until these options admit it. Left out: it admits requests at once. */
  readonly undelayed?: GatewayOptions;
  /** Whether responses have the headers of remaining requests that the program has. Left out: they have none. */
  readonly sendsRemaining?: boolean;
  /** The statement that answers all its requests before it counts them. Left out: no single one does. */
  readonly answeredBy?: Pick<ReadStatement, "file" | "line" | "text">;
}

/**
 * `read`: it is in the rules. `irrelevant`: it changes no limit. `not understood`: it may change a limit, so the rules
 * may be wrong. `question`: the configuration does not have the value, and a default was taken.
 */
type StatementRole = "read" | "irrelevant" | "not understood" | "question";

export interface ReadStatement {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly role: StatementRole;
  readonly consequence: string; // empty for irrelevant statements
}

export type ReadRole = Pick<ReadStatement, "role" | "consequence">;

/** A value that only production has. */
export interface OpenQuestion {
  readonly name: string; // as --set names it
  readonly file: string;
  readonly line: number;
  readonly value: string; // the value that was taken
  readonly isSet: boolean; // whether --set gave it
}

export interface ReadConfiguration {
  readonly kind: string; // name of the reader
  /**
   * `together`: a request that one rule refuses spends nothing of the others. `in turn`: rules are spent in their order
   * until one refuses. A later rule counts the request all the same if its `countsRefusedFrom` allows it.
   */
  readonly order: "together" | "in turn";
  /** `together`: a request that a dry run would refuse is not counted by these limits. Left out: by other dry runs. */
  readonly dryRunsStop?: "all limits";
  readonly rules: readonly ReadRule[];
  readonly headers: readonly string[]; // headers that the rules read, in lower case
  readonly statements: readonly ReadStatement[];
  /** A request may add one: read them after all requests. */
  readonly questions: readonly OpenQuestion[];
}

/** Finds the files that a configuration includes, by a name or pattern relative to its first file. */
export type Includes = (pattern: string) => readonly ConfigurationFile[] | Failure;

/** Reads the configurations of one program. */
export interface ConfigurationReader {
  readonly kind: string; // as --kind names it
  /** `documentation`: the program cannot be started by tests, so its rules follow its documentation alone. */
  readonly isProvedBy: "program" | "documentation";
  /** Whether it reads a folder of files. Left out: it reads one file and those that the file includes. */
  readonly readsFolders?: true;
  /** Whether a file is such a configuration, by its text. At most one reader recognizes a file. */
  readonly recognizes: (file: ConfigurationFile) => boolean;
  readonly read: (
    main: ConfigurationFile,
    includes: Includes,
    values: ReadonlyMap<string, string>, // of --set
  ) => ReadConfiguration | Failure;
}
