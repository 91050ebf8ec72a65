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

/** CPU time and memory of a process; null if it has ended. A negative `pid` sums the process group `-pid`. */
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

/** Sums a process group by ticks: after a thread ends, only the ticks of its process include the thread's CPU time. */
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

/** `pid` itself if it is positive; if it is negative, all processes of the group `-pid`. */
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
      if (!isGone(error)) throw error; // a process that ended meanwhile is left out
    }
  }
  return all;
}

const byTicks = (pid: number): number => cpuUsOfStat(readFileSync(`/proc/${pid}/stat`, "utf8"));

/** Sums the threads that still exist. In a Node process these are all: its threads live as long as the process. */
function byThreads(pid: number): number {
  let us = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    us += cpuUsOfSchedstat(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"));
  return us;
}

/** Whether the process has ended: ENOENT or ESRCH, or 1, the exit code of ps for a missing process. */
const isGone = (error: unknown): boolean =>
  ["ENOENT", "ESRCH", 1].includes((error as { readonly code?: string | number }).code ?? "");

interface OtherProcesses {
  /** Why the machine was too busy for a comparison; null: it was not, or the system does not report it. */
  readonly busyReason: () => Promise<string | null>;
}

/**
 * Watches the processes that are not `ours` from now on. `ours` are all processes of the run, which must be running
 * already; null: a target, which Weir did not start. Children of this process that end meanwhile count as ours.
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

/** Why other processes would disturb a run that begins now; null if they would not. */
export async function findBusyReason(): Promise<string | null> {
  const others = await watchOthers([process.pid], "before");
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  return others.busyReason();
}
