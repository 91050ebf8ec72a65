// A random configuration in the language of a program, with requests, and what the program decided.
import type {
  ConfigurationReader,
  ReadConfiguration,
  RequestFacts,
} from "../../lab/implementations/reading.ts";
import type { Configured, Site } from "../../lab/implementations/translation.ts";

export interface DrawnRequest {
  readonly atUs: number;
  readonly address: string; // in 127.0.0.0/8
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface DrawnConfiguration {
  readonly main: string; // name of the file that is read first
  readonly filesAt: (site: Site) => Readonly<Record<string, string>>;
  /** How the program is started, besides its files. Left out: by its command alone. */
  readonly startAt?: (site: Site) => Pick<Configured, "args" | "env">;
  /** Answers to questions about the code and other programs, as of --set. Left out: the files have all. */
  readonly values?: ReadonlyMap<string, string>;
  /** What the program is compared with. Left out: what the reader finds in the files. */
  readonly configuration?: ReadConfiguration;
  readonly requests: readonly DrawnRequest[]; // in the order of their times
  readonly marginUs: number; // by which the program's clock and rounding move its edges
}

/** What a program decided, at some time within a span. */
export interface PlayedDecision {
  readonly row: number; // of the request
  readonly fromUs: number;
  readonly toUs: number;
  readonly isAdmitted: boolean;
  readonly isCounted: boolean | null; // by some limit; null: unknown
  readonly status: number;
}

/** How the configurations of a program are drawn, read, and compared with the program. */
export interface ConfigurationProgram {
  readonly reader: ConfigurationReader;
  readonly draw: (seed: number) => DrawnConfiguration;
  readonly decisions: DecisionsOfLog | DecisionsOfResponses;
}

/** The program writes its decisions into a file. */
export interface DecisionsOfLog {
  readonly log: string; // name of the file
  readonly rowHeader: string; // the header with the number of a request, which the program writes into its log
  readonly decisionsIn: (log: string) => readonly PlayedDecision[];
}

/** A response with one of these statuses is a refusal. 0: the connection is closed without a response. */
interface DecisionsOfResponses {
  readonly refusals: readonly number[];
}

export function factsOf({ address, method, target, headers }: DrawnRequest): RequestFacts {
  return {
    address,
    method,
    target,
    host: headers["host"] ?? "",
    header: (name) => headers[name] || null,
  };
}
