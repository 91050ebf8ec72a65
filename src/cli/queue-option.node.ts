// `--queue`: distributes a command's sweep over machines. Without the flag, BullMQ and its connection are not loaded.
import { availableParallelism } from "node:os";
import { checkout } from "../studies/bench/resources/machine.node.ts";
import { shareOut, type ShareOut } from "../kit/pool.node.ts";
import { installLine } from "../kit/command-line.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { oneLine } from "../kit/reading/legible.ts";
import { withoutSecret } from "../limiter/store/redis-address.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import type { Arguments, Refuse } from "./arguments.ts";
import type { SweepCode } from "../studies/queue/code.node.ts";
import type { Terminal } from "./terminal.ts";
import { versionOfWeir } from "./version.node.ts";
import type { Redis } from "ioredis";

interface QueueAddress {
  readonly flag?: string; // the flag that has the address; unset: --queue
  readonly address: string;
}

interface OpenQueue {
  readonly connection: Redis;
  readonly code: SweepCode;
}

/** Connects to the queue. If that fails, reports why and returns an exit code. */
export async function openQueue(
  { flag = "queue", address }: QueueAddress,
  { err }: Terminal,
  refuse: Refuse,
): Promise<OpenQueue | ExitCode> {
  const problem = await whyNoQueue();
  if (problem !== null) return refuse(problem);
  const { connectQueue } = await import("../studies/queue/connection.node.ts");
  const connection = await connectQueue(address);
  if (isFailure(connection)) return refuse(`--${flag}: ${connection.message}`);
  if (connection === "unreachable") {
    err(`weir: no Redis responds at ${withoutSecret(address)}; --${flag} needs one that runs`);
    return EXIT.unreachable;
  }
  const { codeOf } = await import("../studies/queue/code.node.ts");
  const { commit, changed } = checkout();
  const version = commit === null ? `Weir ${versionOfWeir()}` : `commit ${commit.slice(0, 8)}`;
  return { connection, code: codeOf(changed ? `${version} with changes` : version) };
}

/** Returns an error if BullMQ is missing. Weir does not install it, because most users have one machine. */
async function whyNoQueue(): Promise<string | null> {
  try {
    await import("bullmq");
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    return `queues need the package bullmq: ${installLine("bullmq")}`;
  }
}

/** Distributes work to threads of this process, unless the command has a queue. */
export async function withQueue(
  { values }: Arguments,
  terminal: Terminal,
  refuse: Refuse,
  sweep: (share: ShareOut, countThreads: () => Promise<number>) => Promise<ExitCode>,
  flag = "queue",
): Promise<ExitCode> {
  const address = values.get(flag);
  if (address === undefined) return sweep(shareOut, () => Promise.resolve(availableParallelism()));
  const open = await openQueue({ flag, address }, terminal, refuse);
  if (typeof open === "number") return open;
  const { QueueError, shareByQueue } = await import("../studies/queue/share.node.ts");
  const { countThreads } = await import("../studies/queue/presence.node.ts");
  try {
    const share = shareByQueue({ ...open, report: terminal.err });
    return await sweep(share, () => countThreads(open));
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    terminal.err(oneLine(`weir: ${error.message}`));
    return EXIT.failed;
  } finally {
    open.connection.disconnect();
  }
}
