import { cpus, loadavg, platform, release, totalmem } from "node:os";
import type { BenchMachine } from "./result.ts";

export function machineNow(): BenchMachine {
  const load = loadavg()[0]!;
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    governor: null,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    load: { before: load, after: load },
    busy: null,
    node: process.versions.node,
    commit: null,
    changed: false,
    versions: {},
  };
}
