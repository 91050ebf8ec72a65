// The options of a command line that concern the driver.
import { formatDuration, parseDuration, type Micros } from "../core/units.ts";
import { DRIVERS, type DriverName } from "../drivers/driver.ts";
import type { RealTimeOptions } from "../drivers/support.ts";
import { CAPABILITIES } from "../scenario/read/needs.ts";
import type { Arguments } from "./arguments.ts";

export interface Driving extends RealTimeOptions {
  readonly name: DriverName;
  readonly sample: number; // the largest number of variants; infinity: all
  readonly required: ReadonlySet<string>; // capabilities or drivers
}

const A_MINUTE = 60_000_000 as Micros;
const MOST_STRETCH = 1_000;

/** A string is the problem of the options. */
export function drivingOf(values: Arguments["values"]): Driving | string {
  const typed = values.get("driver") ?? "virtual";
  const name = DRIVERS.find((one) => one === typed);
  if (name === undefined) return `--driver must be one of ${DRIVERS.join(", ")}; got "${typed}"`;
  const stretch = Number(values.get("stretch") ?? 1);
  if (!(stretch >= 1 && stretch <= MOST_STRETCH))
    return `--stretch must be a number from 1 to ${MOST_STRETCH}; got "${values.get("stretch")}"`;
  const typedMax = values.get("max-duration") ?? formatDuration(A_MINUTE);
  const maxDurationUs = parseDuration(typedMax);
  if (maxDurationUs === null)
    return `--max-duration must be a duration, such as 30s or 2m; got "${typedMax}"`;
  const required = (values.get("require") ?? "").split(",").filter((each) => each !== "");
  const requirable: readonly string[] = [...CAPABILITIES, ...DRIVERS];
  const unknownName = required.find((each) => !requirable.includes(each));
  if (unknownName !== undefined)
    return `--require must name capabilities or drivers (${requirable.join(", ")}); got "${unknownName}"`;
  const sample = Number(values.get("sample") ?? Number.POSITIVE_INFINITY);
  if (!(sample >= 1)) return `--sample must be a number of variants; got "${values.get("sample")}"`;
  const real = ["stretch", "max-duration", "require", "sample"].find((option) =>
    values.has(option),
  );
  if (name === "virtual" && real !== undefined)
    return `--${real} is only for real time; add --driver embedded or --driver redis`;
  return { name, stretch, maxDurationUs, sample, required: new Set(required) };
}
