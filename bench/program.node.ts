// The common part of the programs of the suites of parts. Each gets its input as one argument, and its last line of
// output is {"value": NUMBER}.

/** The type is that of the program's input. */
export const readInput = (): unknown => JSON.parse(process.argv[2] ?? "{}");

/** Also ends the process: a timer or a connection that keeps it alive has no part in the value. */
export function printValue(value: number): never {
  console.log(JSON.stringify({ value }));
  process.exit();
}

/**
 * Milliseconds of processor time of this process, with all its threads: the work of a collector is paid for too. Unlike
 * wall-clock time it does not grow while another process has the processor.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** In place of a value, such as for a program that is not installed. */
export function leaveOut(reason: string): never {
  console.log(JSON.stringify({ leftOut: reason }));
  process.exit();
}
