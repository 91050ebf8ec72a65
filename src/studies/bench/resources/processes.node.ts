// Processor time and memory of a process, from /proc, or from ps without /proc.
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { promisify } from "node:util";
import {
  describeOthers,
  busyUsOfMachine,
  cpuUsOfChildren,
  cpuUsOfSchedstat,
  cpuUsOfStat,
  groupOfStat,
  figuresOfPs,
  rssBytesOfStatus,
  type ProcessFigures,
} from "./process-figures.ts";

const HAS_PROC = existsSync("/proc/self/stat");
const HAS_SCHEDSTAT = existsSync("/proc/self/schedstat");

/** Null: the process has ended. A negative number is a group of processes, as for `kill`: their sum. */
export async function figuresOf(pid: number): Promise<ProcessFigures | null> {
  try {
    if (pid < 0) return figuresOfGroup(-pid);
    if (!HAS_PROC) {
      const { stdout } = await promisify(execFile)("ps", ["-o", "time=,rss=", "-p", `${pid}`]);
      return figuresOfPs(stdout);
    }
    const rssBytes = rssBytesOfStatus(readFileSync(`/proc/${pid}/status`, "utf8"));
    return { cpuUs: HAS_SCHEDSTAT ? byThreads(pid) : byTicks(pid), rssBytes };
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** By ticks: threads of programs of others end, and their time with them. */
function figuresOfGroup(group: number): ProcessFigures | null {
  const all = processesOf(group);
  if (all.length === 0) return null;
  const sum = { cpuUs: 0, rssBytes: 0 };
  for (const { stat, status } of all) {
    sum.cpuUs += cpuUsOfStat(stat) + cpuUsOfChildren(stat);
    sum.rssBytes += rssBytesOfStatus(status);
  }
  return sum;
}

/** This process, or all of a group. */
export const pidsOf = (pid: number): readonly number[] =>
  pid > 0 ? [pid] : processesOf(-pid).map((process) => process.pid);

interface ProcessTexts {
  readonly pid: number;
  readonly stat: string;
  readonly status: string;
}

function processesOf(group: number): readonly ProcessTexts[] {
  const all: ProcessTexts[] = [];
  for (const name of HAS_PROC ? readdirSync("/proc") : []) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      if (groupOfStat(stat) !== group) continue;
      all.push({ pid: Number(name), stat, status: readFileSync(`/proc/${name}/status`, "utf8") });
    } catch (error) {
      if (!isGone(error)) throw error; // it ended meanwhile
    }
  }
  return all;
}

const byTicks = (pid: number): number => cpuUsOfStat(readFileSync(`/proc/${pid}/stat`, "utf8"));

/** Threads that have ended are not included: those of Node live as long as their process. */
function byThreads(pid: number): number {
  let us = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    us += cpuUsOfSchedstat(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"));
  return us;
}

/** No such file, no such process while it was read, or the exit code of ps for no such process. */
const isGone = (error: unknown): boolean =>
  ["ENOENT", "ESRCH", 1].includes((error as { readonly code?: string | number }).code ?? "");

interface OtherProcesses {
  /** Why the machine was too busy for a comparison; null: it was not, or the system does not report it. */
  readonly busyReason: () => Promise<string | null>;
}

/**
 * Watches the other processes from now on. Children of this process that end meanwhile are part of the run. `ours` are all
 * processes of the run, which must be running already. Null: a process of a target, which Weir did not start.
 */
export async function watchOthers(
  ours: readonly (number | null)[],
  when: "before" | "during" = "during",
): Promise<OtherProcesses> {
  const read = async () => ({
    atUs: performance.now() * 1_000,
    allUs: HAS_PROC ? busyUsOfMachine(readFileSync("/proc/stat", "utf8")) : null,
    endedUs: HAS_PROC ? cpuUsOfChildren(readFileSync("/proc/self/stat", "utf8")) : 0,
    each: await Promise.all(ours.map(async (pid) => (pid === null ? null : figuresOf(pid)))),
  });
  const before = await read();
  return {
    busyReason: async () => {
      const after = await read();
      if (after.allUs === null || before.allUs === null) return null;
      let othersUs = after.allUs - before.allUs - (after.endedUs - before.endedUs);
      for (const [at, one] of after.each.entries())
        othersUs -= one === null ? 0 : one.cpuUs - (before.each[at]?.cpuUs ?? 0);
      const tookUs = after.atUs - before.atUs;
      return describeOthers({ othersUs, tookUs, cores: cpus().length }, when);
    },
  };
}

const LOOK_MS = 500;

/** Whether a run that begins now will be disturbed. */
export async function findBusyReason(): Promise<string | null> {
  const others = await watchOthers([process.pid], "before");
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  return others.busyReason();
}
