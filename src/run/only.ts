// `--only`: what of a run somebody wants to see.
import type { Scenario } from "../scenario/types.ts";
import { fullName } from "../scenario/verdict.ts";

/** Names of the variants that are meant; null: none of this scenario. */
export function variantsMeant(scenario: Scenario, only: string): ReadonlySet<string> | null {
  const { id, variants } = scenario;
  const matches = pattern(only);
  const meant = variants.filter(
    ({ name, expectations }) =>
      matches(id) ||
      matches(name) ||
      matches(fullName(id, name)) ||
      expectations.some(({ proves }) => proves.some(matches)),
  );
  return meant.length === 0 ? null : new Set(meant.map(({ name }) => name));
}

/** `*` is any text. Slashes are text like any other: nobody wants to count folders here. */
export function pattern(only: string): (text: string) => boolean {
  const parts = only
    .split("*")
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  const whole = new RegExp(`^${parts.join(".*")}$`, "s");
  return (text) => whole.test(text);
}
