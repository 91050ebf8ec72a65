// The requirements of the gateway, one entry for each testable statement. Ids are stable. `section` is the part of the
// specification that has the statement, or that the statement completes.
import requirements from "./requirements.json" with { type: "json" };

/** The specification states a requirement (required), leaves it open (chosen), or states a tendency (informative). */
type Tier = "required" | "chosen" | "informative";

export interface Requirement {
  readonly id: string;
  readonly tier: Tier;
  readonly state: "built" | "planned";
  readonly section: string;
  readonly text: string;
}

export const REQUIREMENTS = requirements as readonly Requirement[];
