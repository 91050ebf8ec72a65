// Names endpoint entries, so that entries that match the same requests have the same name (EPT-C7).
import type { EndpointLimit, PathPattern } from "../config.ts";
import { comparableMethod, comparablePattern, type Matching } from "./endpoint.ts";

/** Two entries with the same name match the same requests. */
export const nameOfEntry = (
  { method, pattern }: Pick<EndpointLimit, "method" | "pattern">,
  matching: Matching,
): string => `${comparableMethod(method, matching)} ${nameOfPath(pattern, matching)}`;

function nameOfPath(pattern: PathPattern, matching: Matching): string {
  const name = comparablePattern(pattern, matching).pieces.join("*");
  const isSame = matching.endpointMatching.trailingSlash === "same";
  return isSame && name !== "/" ? name.replace(/\/$/, "") : name;
}
