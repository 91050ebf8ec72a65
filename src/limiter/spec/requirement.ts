// The duties of the gateway, one entry a testable statement. Ids are stable; `section` names the part of the
// specification that has the statement or, if it has none, the part that the statement completes.

/** required: the specification states it. chosen: it leaves it open. informative: it states a tendency. */
export type Tier = "required" | "chosen" | "informative";

export interface Requirement {
  readonly id: string;
  readonly tier: Tier;
  readonly section: string;
  readonly text: string;
  readonly state: "built" | "planned";
}

type Entry = readonly [id: string, section: string, text: string];

export const entries = (
  tier: Tier,
  state: Requirement["state"],
  rows: readonly Entry[],
): readonly Requirement[] =>
  rows.map(([id, section, text]) => ({ id, tier, section, text, state }));
