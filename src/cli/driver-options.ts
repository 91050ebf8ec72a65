// The flags of a command line that concern the driver.
import { formatDuration, parseDuration, type Micros } from "../kit/units.ts";
import { readTarget } from "../lab/drivers/allowed-target.ts";
import { DRIVERS, type Against, type DriverName } from "../lab/drivers/driver.ts";
import type { RealTimeOptions } from "../lab/drivers/support.ts";
import { CAPABILITIES } from "../lab/scenario/read/needs.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import type { Arguments } from "./arguments.ts";

export interface Driving extends RealTimeOptions {
  readonly isStretchFixed: boolean; // true if --stretch was given: repetitions do not change it
  readonly name: DriverName;
  readonly sample: number; // the most variants to run; infinity: all
  readonly required: ReadonlySet<string>; // capabilities or drivers; the run fails if one is missing
  readonly against: Against | null; // gateway for the driver `remote`
}

const A_MINUTE = 60_000_000 as Micros;
const MOST_STRETCH = 1_000;

export function drivingOf({ values, lists }: Arguments): Driving | Failure {
  const against = againstOf(values, lists.get("allow-target") ?? []);
  if (isFailure(against)) return against;
  const typed = values.get("driver") ?? (against === null ? "virtual" : "remote");
  const name = DRIVERS.find((one) => one === typed);
  if (name === undefined)
    return new Failure(`--driver must be one of ${DRIVERS.join(", ")}; got "${typed}"`);
  const stretch = Number(values.get("stretch") ?? 1);
  if (!(stretch >= 1 && stretch <= MOST_STRETCH))
    return new Failure(
      `--stretch must be a number from 1 to ${MOST_STRETCH}; got "${values.get("stretch")}"`,
    );
  const typedMax = values.get("max-duration") ?? formatDuration(A_MINUTE);
  const maxDurationUs = parseDuration(typedMax);
  if (maxDurationUs === null)
    return new Failure(`--max-duration must be a duration, such as 30s or 2m; got "${typedMax}"`);
  const required = (values.get("require") ?? "").split(",").filter((each) => each !== "");
  const requirable: readonly string[] = [...CAPABILITIES, ...DRIVERS];
  const unknownName = required.find((each) => !requirable.includes(each));
  if (unknownName !== undefined)
    return new Failure(
      `--require must name capabilities or drivers (${requirable.join(", ")}); got "${unknownName}"`,
    );
  const sample = Number(values.get("sample") ?? Number.POSITIVE_INFINITY);
  if (!(sample >= 1))
    return new Failure(`--sample must be a number of variants; got "${values.get("sample")}"`);
  const real = ["stretch", "max-duration", "require", "sample"].find((option) =>
    values.has(option),
  );
  if (name === "virtual" && real !== undefined)
    return new Failure(
      `--${real} is only for real time; add --driver embedded, --driver redis or --implementation`,
    );
  const mismatch = mismatchOf(name, against);
  return mismatch === null
    ? {
        name,
        against,
        stretch,
        maxDurationUs,
        sample,
        isStretchFixed: values.has("stretch"),
        required: new Set(required),
      }
    : new Failure(mismatch);
}

const TARGET_WORDS = {
  url: "--target",
  credential: "the keys of the scenario's world are sent with its requests",
};

/** Null if neither a target nor an implementation is given. */
function againstOf(
  values: Arguments["values"],
  allowedHosts: readonly string[],
): Against | null | Failure {
  const [target, implementation] = [values.get("target"), values.get("implementation")];
  if (target !== undefined && implementation !== undefined)
    return new Failure("--target and --implementation name two gateways; keep one of them");
  if (target === undefined && allowedHosts.length > 0)
    return new Failure("--allow-target needs --target URL");
  if (implementation !== undefined) return { kind: "implementation", name: implementation };
  if (target === undefined) return null;
  const url = readTarget(target, allowedHosts, TARGET_WORDS);
  return isFailure(url) ? url : { kind: "target", url: url.href };
}

function mismatchOf(name: DriverName, against: Against | null): string | null {
  if (name === "remote" && against === null)
    return "--driver remote needs a gateway: --target URL, or --implementation NAME";
  return name !== "remote" && against !== null
    ? `--${against.kind} needs --driver remote; got --driver ${name}`
    : null;
}
