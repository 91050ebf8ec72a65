// The options of a command line that concern the driver.
import { formatDuration, parseDuration, type Micros } from "../core/units.ts";
import { DRIVERS, type DriverName } from "../drivers/driver.ts";
import type { RealTimeOptions } from "../drivers/support.ts";
import { Failure } from "../reading/failure.ts";
import { CAPABILITIES } from "../scenario/read/needs.ts";
import type { Arguments } from "./arguments.ts";

export interface Driving extends RealTimeOptions {
  readonly name: DriverName;
  readonly sample: number; // the largest number of variants; infinity: all
  readonly required: ReadonlySet<string>; // capabilities or drivers
}

const A_MINUTE = 60_000_000 as Micros;
const MOST_STRETCH = 1_000;

export function drivingOf(values: Arguments["values"]): Driving | Failure {
  const typed = values.get("driver") ?? "virtual";
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
    return new Failure(`--${real} is only for real time; add --driver embedded or --driver redis`);
  return { name, stretch, maxDurationUs, sample, required: new Set(required) };
}
