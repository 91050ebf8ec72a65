// `--only`: selects variants of a run.
import type { Scenario } from "../scenario/types.ts";
import { fullName } from "../scenario/verdict.ts";

/** Names of the selected variants (all of them without a pattern); null if no variant of this scenario is selected. */
export function selectVariants(
  scenario: Scenario,
  only: readonly string[],
): ReadonlySet<string> | null {
  const patterns = only.length === 0 ? ["*"] : only;
  const names = patterns.flatMap((each) => variantsOf(scenario, each));
  return names.length === 0 ? null : new Set(names);
}

/** The patterns that match a variant of this scenario. */
export const matchingPatterns = (scenario: Scenario, only: readonly string[]): readonly string[] =>
  only.filter((each) => variantsOf(scenario, each).length > 0);

function variantsOf({ id, variants }: Scenario, only: string): readonly string[] {
  const matches = compilePattern(only);
  const selected = variants.filter(
    ({ name, expectations }) =>
      matches(id) ||
      matches(name) ||
      matches(fullName(id, name)) ||
      expectations.some(({ proves }) => proves.some(matches)),
  );
  return selected.map(({ name }) => name);
}

/** Compiles a pattern, in which `*` matches any text, including the slashes of several folders. */
export function compilePattern(only: string): (text: string) => boolean {
  const parts = only
    .split("*")
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  const whole = new RegExp(`^${parts.join(".*")}$`, "s");
  return (text) => whole.test(text);
}
