// A request as nginx evaluates it.
import type { RequestFacts } from "../reading.ts";

/** A request on its way through nginx, with what was computed and rewritten on the way. */
export interface NginxRequest {
  readonly facts: RequestFacts;
  readonly host: string;
  server: string; // the first name of its server
  port: string; // empty: unknown
  uri: string; // the path, decoded
  args: string;
  groups: readonly (string | undefined)[]; // of the last pattern that matched
  readonly values: Map<string, string>; // of variables that nginx computes once, or that were set
}

export type Expression = (at: NginxRequest) => string;
