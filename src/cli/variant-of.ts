// The variant of a scenario that the command line names.
import { Failure } from "../kit/reading/failure.ts";
import type { Scenario, Variant } from "../lab/scenario/types.ts";

/** The variant with a name or a number, from 1 in the order in which weir run lists them; or the first one. */
export function variantOf(
  { variants }: Scenario,
  file: string,
  wanted: string | undefined,
): Variant | Failure {
  if (wanted === undefined) return variants[0]!;
  const variant = variants.find(({ name }) => name === wanted) ?? variants[numberOf(wanted) - 1];
  if (variant !== undefined) return variant;
  if (variants.length === 1 && variants[0]!.name === "")
    return new Failure(
      `${file}: there is no variant "${wanted}"; the scenario has no matrix, so leave out --variant`,
    );
  return new Failure(
    `${file}: there is no variant "${wanted}"; choose one by its name or its number:`,
    ...variants.map((each, at) => `  ${at + 1}  "${each.name}"`),
  );
}

const numberOf = (wanted: string): number => (/^[1-9]\d{0,5}$/.test(wanted) ? Number(wanted) : 0);
