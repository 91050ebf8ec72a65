// The duties of the gateway, one entry a testable statement. Ids are stable; `section` names the part of the
// specification that has the statement or, if it has none, the part that the statement completes.
import requirements from "./requirements.json" with { type: "json" };

/** required: the specification states it. chosen: it leaves it open. informative: it states a tendency. */
type Tier = "required" | "chosen" | "informative";

export interface Requirement {
  readonly id: string;
  readonly tier: Tier;
  readonly state: "built" | "planned";
  readonly section: string;
  readonly text: string;
}

export const REQUIREMENTS = requirements as readonly Requirement[];
