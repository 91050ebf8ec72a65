// Sweeps and workers announce themselves to each other, each with its code. Nothing is stored, so an ended process is
// soon forgotten. Redis delivers a message in all databases, so the names of channels contain the database's number.
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { z } from "zod";
import type { SweepCode } from "./code.node.ts";
import { PREFIX } from "./connection.node.ts";

export type QueueSide = "sweep" | "worker";

/** Another process at the same queue. */
export interface QueueNeighbour {
  readonly id: string;
  readonly code: SweepCode;
  readonly threads: number; // 0 for a sweep
}

const EACH_MS = 1_000;
/** A process is forgotten after this time without an announcement: five intervals. */
const GONE_MS = 5_000;

export interface Presence {
  /** Processes of the other side that announced themselves lately. */
  readonly neighbours: () => readonly QueueNeighbour[];
  readonly end: () => void;
}

/** Announces a process. Calls `onOther` once for each process of the other side that runs other code. */
export async function announce(
  connection: Redis,
  side: QueueSide,
  own: Omit<QueueNeighbour, "id">,
  onOther: (other: QueueNeighbour) => void,
): Promise<Presence> {
  const seen = new Map<string, { readonly neighbour: QueueNeighbour; readonly atMs: number }>();
  const listening = connection.duplicate();
  listening.on("error", () => {});
  listening.on("message", (_: string, text: string) => {
    const neighbour = readAnnouncement(text);
    if (neighbour === null) return;
    const { id, code } = neighbour;
    const known = seen.get(id)?.neighbour.code.digest;
    seen.set(id, { neighbour, atMs: performance.now() });
    if (known !== code.digest && code.digest !== own.code.digest) onOther(neighbour);
  });
  const channelOf = (one: QueueSide): string => `${PREFIX}:${one}s/${connection.options.db ?? 0}`;
  await listening.subscribe(channelOf(side === "sweep" ? "worker" : "sweep"));
  const announcement = JSON.stringify({ ...own, id: `${hostname()}:${process.pid}` });
  const publish = (): void => {
    if (connection.status === "ready")
      connection.publish(channelOf(side), announcement).catch(() => {});
  };
  publish();
  const timer = setInterval(publish, EACH_MS);
  return {
    neighbours: () =>
      [...seen.values()].flatMap(({ neighbour, atMs }) =>
        performance.now() - atMs < GONE_MS ? [neighbour] : [],
      ),
    end: () => {
      clearInterval(timer);
      listening.disconnect();
    },
  };
}

/** Counts the threads of all workers with this code that announce themselves within a short time. */
export async function countThreads({
  connection,
  code,
}: {
  readonly connection: Redis;
  readonly code: SweepCode;
}): Promise<number> {
  const { neighbours, end } = await announce(connection, "sweep", { code, threads: 0 }, () => {});
  await sleep(1.5 * EACH_MS);
  end();
  return neighbours().reduce(
    (sum, each) => sum + (each.code.digest === code.digest ? each.threads : 0),
    0,
  );
}

/** Parses an announcement; null: anything else that was published, such as an announcement in another format. */
function readAnnouncement(text: string): QueueNeighbour | null {
  try {
    const read = ANNOUNCEMENT.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const ANNOUNCEMENT = z.object({
  id: z.string(),
  code: z.object({ digest: z.string(), name: z.string() }),
  threads: z.int().min(0),
});
