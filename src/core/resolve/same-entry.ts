// Which endpoint entries are one, as the gateway compares paths and methods (EPT-C7).
import type { EndpointLimit, Pattern } from "../config.ts";
import { comparedMethod, comparedPattern, type Matching } from "./endpoint.ts";

/** Two entries of one name match the same requests. */
export const nameOfEntry = (
  { method, pattern }: Pick<EndpointLimit, "method" | "pattern">,
  matching: Matching,
): string => `${comparedMethod(method, matching)} ${nameOfPath(pattern, matching)}`;

function nameOfPath(pattern: Pattern, matching: Matching): string {
  const name = comparedPattern(pattern, matching).pieces.join("*");
  const isSame = matching.endpointMatching.trailingSlash === "same";
  return isSame && name !== "/" ? name.replace(/\/$/, "") : name;
}
