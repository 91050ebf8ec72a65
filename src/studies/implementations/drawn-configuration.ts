// A random configuration in the language of a program, with requests, and what the program decided.
import type { ConfigurationReader } from "../../lab/implementations/reading.ts";
import type { Site } from "../../lab/implementations/translation.ts";

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
  readonly log: string; // name of the file in which the program writes its decisions
  readonly decisionsIn: (log: string) => readonly PlayedDecision[];
  readonly rowHeader: string; // the header with the number of a request, which the program writes into its log
}
