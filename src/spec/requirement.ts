// What the gateway has to do, one entry a testable statement. Ids are stable; `section` names the part
// of the specification that the statement stands in or, where it is silent, the part that it completes.

/** required: the specification says it. chosen: it leaves it open. informative: it says it as a tendency. */
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
