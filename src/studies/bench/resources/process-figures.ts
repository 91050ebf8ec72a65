// Parses the texts in which operating systems report processes and the machine.

export interface ProcessFigures {
  readonly cpuUs: number; // since the process began
  readonly rssBytes: number;
}

const TICK_US = 10_000; // microseconds per tick in /proc/PID/stat, whatever tick the kernel uses itself

/** The fields of `stat` from the third on. The name before them, in brackets, may contain blanks and brackets. */
const fieldsOf = (stat: string): readonly string[] =>
  stat.slice(stat.lastIndexOf(")") + 2).split(" ");

/** The user and system time of a process, in microseconds, from its /proc/PID/stat. */
export function cpuUsOfStat(stat: string): number {
  const fields = fieldsOf(stat);
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** The number of the process group, from /proc/PID/stat. */
export const groupOfStat = (stat: string): number => Number(fieldsOf(stat)[2]);

/** User and system time of all ended children of a process, and of their ended children, in microseconds. */
export function cpuUsOfChildren(stat: string): number {
  const fields = fieldsOf(stat);
  return (Number(fields[13]) + Number(fields[14])) * TICK_US;
}

/** The CPU time of one thread. `schedstat` has nanoseconds, which are finer than the ticks of `stat`. */
export const cpuUsOfSchedstat = (schedstat: string): number =>
  Number(schedstat.split(" ", 1)[0]) / 1_000;

export function rssBytesOfStatus(status: string): number {
  const kib = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? 0 : Number(kib) * 1_024;
}

/** Parses `ps -o time=,rss= -p PID`: CPU time as days-hours:minutes:seconds (macOS: hundredths too), memory in KiB. */
export function figuresOfPs(line: string): ProcessFigures | null {
  const parts = /^\s*(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)\s+(\d+)\s*$/.exec(line);
  if (parts === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0, kib = 0] = parts
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  return {
    cpuUs: (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1e6,
    rssBytes: kib * 1_024,
  };
}

/** Processor time of all processes, from the first line of /proc/stat, without idle time and waits for a disk. */
export function busyUsOfMachine(stat: string): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = stat
    .slice(0, stat.indexOf("\n"))
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * TICK_US;
}

/**
 * The bytes that outlived one collection of young objects, from a line of V8's --trace-gc-nvp. Null: another kind of
 * line, or a collection of another process.
 */
export function survivorBytesOf(line: string, pid: number): number | null {
  if (!line.startsWith(`[${pid}:`) || !line.includes(" gc=s ")) return null;
  const promoted = / promoted=(\d+) /.exec(line)?.[1];
  const young = / new_space_survived=(\d+) /.exec(line)?.[1];
  return promoted === undefined || young === undefined ? null : Number(promoted) + Number(young);
}

const MOST_OF_OTHERS = 0.1; // the most CPU time that other processes may use, as a share of all cores

/** A message if other processes used too much of the machine for a measurement, else null. */
export function describeOthers(
  {
    othersUs,
    tookUs,
    cores,
  }: { readonly othersUs: number; readonly tookUs: number; readonly cores: number },
  when: "before" | "during",
): string | null {
  const share = othersUs / (tookUs * cores);
  if (share <= MOST_OF_OTHERS) return null;
  const part = `${Math.round(share * 100)} % of the machine's ${cores} cores`;
  return when === "before"
    ? `other processes take ${part}: this run cannot be compared with another one; to compare, begin when they are done`
    : `other processes took ${part} during the measurement: its times prove little; repeat the run when they are done`;
}
