// Calls a script by its name, which is its hash, or whole where the store may not know it yet.
import { createHash } from "node:crypto";
import { Command } from "ioredis";
import { scriptOf } from "./lua/script.ts";
import type { RedisConnection } from "./redis-connection.node.ts";

/** Null: it failed, or there is no connection. */
type Hear = (answer: Buffer | null) => void;

export type CallScript = (
  pieces: number,
  keys: readonly string[],
  nonce: string,
  rows: readonly Float64Array<ArrayBuffer>[],
  hear: Hear,
) => void;

interface Script {
  readonly text: string;
  readonly sha: string;
}

/** `isSplit`: each node of a cluster knows scripts of its own. */
export function scriptCaller(connection: RedisConnection, isSplit: boolean): CallScript {
  const scripts = new Map<number, Script>();
  const sent = new Set<Script>(); // over this connection
  connection.on("close", () => sent.clear());
  return (pieces, keys, nonce, rows, hear) => {
    let script = scripts.get(pieces);
    if (script === undefined) scripts.set(pieces, (script = made(pieces)));
    const { text, sha } = script;
    const call = (isKnown: boolean): void => {
      const command = new ScriptCall(
        isKnown ? "evalsha" : "eval",
        [isKnown ? sha : text, String(keys.length), ...keys, nonce],
        rows,
        (error, result) => {
          if (isKnown && error?.message.startsWith("NOSCRIPT") === true) call(false);
          else hear(error ? null : (result as Buffer));
        },
      );
      void connection.sendCommand(command);
    };
    // What was sent before over the same connection is known by the time that this comes.
    const isKnown = isSplit || sent.has(script);
    if (!isKnown && connection.status === "ready") sent.add(script);
    call(isKnown);
  };
}

function made(pieces: number): Script {
  const text = scriptOf(pieces);
  return { text, sha: createHash("sha1").update(text).digest("hex") };
}

/** Texts and then rows of numbers, written as one piece: a turn has hundreds of keys. */
class ScriptCall extends Command {
  readonly rows: readonly Float64Array<ArrayBuffer>[];

  constructor(
    name: string,
    texts: readonly string[],
    rows: readonly Float64Array<ArrayBuffer>[],
    hear: (error: Error | null | undefined, result: unknown) => void,
  ) {
    super(name, [...texts], { replyEncoding: null }, hear);
    this.rows = rows;
  }

  override toWritable(): Buffer {
    const { name, args, rows } = this;
    let head = `*${1 + args.length + rows.length}\r\n$${name.length}\r\n${name}\r\n`;
    for (const arg of args as readonly string[]) head += `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`;
    const pieces: Buffer[] = [Buffer.from(head)];
    for (const { buffer, byteLength } of rows)
      pieces.push(Buffer.from(`$${byteLength}\r\n`), Buffer.from(buffer), NEXT);
    return Buffer.concat(pieces);
  }
}

const NEXT = Buffer.from("\r\n");
