/**
 * Milliseconds of processor that this process has used, on all its threads: what a collector does beside
 * is paid for too. Unlike the time on the wall it does not grow while somebody else has the processor.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
