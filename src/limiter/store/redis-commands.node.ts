// Writes a log by single commands, sent together. Commands of other clients can run between them (ALG-C6), except in a
// transaction (ALG-C7).
import { emptyReply, type LogCommand, type Reply, type StoreOp } from "../core/store.ts";
import type { RedisConnection } from "./redis-connection.node.ts";
import { keyStem, type PackedLevel } from "./redis-level.ts";

export function sendCommands(
  connection: RedisConnection,
  { commands, isTransaction = false }: Extract<StoreOp, { op: "pipeline" }>,
  context: {
    readonly prefix: string;
    readonly nonce: string; // makes each entry of a set unique
    readonly pack: (level: LogCommand["level"]) => PackedLevel;
  },
  onReply: (reply: Reply | null) => void,
): void {
  const sending = isTransaction ? connection.multi() : connection.pipeline();
  let countAt = -1;
  for (const [index, command] of commands.entries()) {
    const { op, level, client, atUs, units, hasFallsToCome = false } = command;
    const packed = context.pack(level);
    const key = keyStem(context.prefix, level, client) + (packed.form.log ?? "");
    switch (op) {
      case "prune":
        sending.zremrangebyscore(key, "-inf", atUs - level.budget.limit.perUs);
        break;
      case "count":
        countAt = index;
        sending.zcard(key);
        break;
      case "add":
        // One entry for each unit of the attempt.
        sending.zadd(
          key,
          ...Array.from({ length: units }, (_, unit) => [
            atUs,
            `${context.nonce}${index}${unit === 0 ? "" : `-${unit}`}`,
          ]).flat(),
        );
        break;
      case "expire": {
        const ms = hasFallsToCome ? packed.foreverMs : packed.keepMs;
        if (ms < 0) sending.persist(key);
        else sending.pexpire(key, ms);
      }
    }
  }
  void sending.exec((error, results) => {
    const isWhole = !error && results?.every(([failure]) => failure === null) === true;
    onReply(isWhole ? { ...emptyReply(), count: Number(results[countAt]?.[1] ?? 0) } : null);
  });
}
