// The variant of a scenario that the command line names.
import { Failure } from "../kit/reading/failure.ts";
import type { Scenario, Variant } from "../lab/scenario/types.ts";

/** The variant with a name, or the first one. */
export function variantOf(
  { variants }: Scenario,
  file: string,
  wanted: string | undefined,
): Variant | Failure {
  if (wanted === undefined) return variants[0]!;
  const variant = variants.find(({ name }) => name === wanted);
  if (variant !== undefined) return variant;
  if (variants.length === 1 && variants[0]!.name === "")
    return new Failure(
      `${file}: there is no variant "${wanted}"; the scenario has no matrix, so leave out --variant`,
    );
  return new Failure(
    `${file}: there is no variant "${wanted}"; choose one of:`,
    ...variants.map((each) => `  "${each.name}"`),
  );
}
