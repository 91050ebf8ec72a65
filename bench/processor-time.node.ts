/**
 * Milliseconds that this thread has had a processor for. Unlike the time on the wall it does not grow
 * while somebody else has it; what a collector does on threads of its own is not in it.
 */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
