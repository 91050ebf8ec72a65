// Calls a script by its name, which is its hash, or whole where the store may not know it yet.
import { createHash } from "node:crypto";
import { Command } from "ioredis";
import { scriptOf, type Rewrite } from "./lua/script.ts";
import type { Row } from "./redis-batch.ts";
import type { RedisConnection } from "./redis-connection.node.ts";

/** Null: it failed, or there is no connection. */
type Hear = (answer: Buffer | null) => void;

export type CallScript = (
  pieces: number,
  keys: readonly string[],
  nonce: string,
  rows: readonly Row[],
  hear: Hear,
) => void;

interface Script {
  readonly text: string;
  readonly sha: string;
}

/** `isSplit`: each node of a cluster knows scripts of its own. */
export function scriptCaller(
  connection: RedisConnection,
  isSplit: boolean,
  rewrite?: Rewrite,
): CallScript {
  const scripts = new Map<number, Script>();
  const sent = new Set<Script>(); // over this connection
  connection.on("close", () => sent.clear());
  return (pieces, keys, nonce, rows, hear) => {
    let script = scripts.get(pieces);
    if (script === undefined) scripts.set(pieces, (script = made(pieces, rewrite)));
    const { text, sha } = script;
    const call = (isKnown: boolean): void => {
      const [name, body] = isKnown ? ["evalsha", sha] : ["eval", text];
      const command = new ScriptCall(name, body, keys, nonce, rows, (error, result) => {
        if (isKnown && error?.message.startsWith("NOSCRIPT") === true) call(false);
        else hear(error ? null : (result as Buffer));
      });
      void connection.sendCommand(command);
    };
    // What was sent before over the same connection is known by the time that this comes.
    const isKnown = isSplit || sent.has(script);
    if (!isKnown && connection.status === "ready") sent.add(script);
    call(isKnown);
  };
}

function made(pieces: number, rewrite?: Rewrite): Script {
  const text = scriptOf(pieces, rewrite);
  return { text, sha: createHash("sha1").update(text).digest("hex") };
}

/** Written as one piece: a call has hundreds of keys and thousands of numbers. */
class ScriptCall extends Command {
  readonly script: string;
  readonly all: readonly string[]; // keys
  readonly nonce: string;
  readonly rows: readonly Row[];

  /** The library hears of one key alone: by that a cluster knows the node, and it would look at each. */
  constructor(
    name: string,
    script: string,
    keys: readonly string[],
    nonce: string,
    rows: readonly Row[],
    hear: (error: Error | null | undefined, result: unknown) => void,
  ) {
    super(name, [script, "1", keys[0]!], { replyEncoding: null }, hear);
    this.script = script;
    this.all = keys;
    this.nonce = nonce;
    this.rows = rows;
  }

  override toWritable(): Buffer {
    const { name, script, all, nonce, rows } = this;
    const texts = [name, script, String(all.length), ...all, nonce];
    let head = `*${texts.length + rows.length}${END}`;
    for (const text of texts) head += `$${Buffer.byteLength(text)}${END}${text}${END}`;
    const openings = rows.map((row) => `$${row.length * 8}${END}`);
    let size = Buffer.byteLength(head);
    for (const [i, row] of rows.entries())
      size += openings[i]!.length + row.length * 8 + END.length;
    const bytes = Buffer.allocUnsafe(size);
    const numbers = new DataView(bytes.buffer, bytes.byteOffset, size);
    let at = bytes.write(head);
    for (const [i, row] of rows.entries()) {
      at += bytes.write(openings[i]!, at);
      for (const number of row) {
        numbers.setFloat64(at, number, true);
        at += 8;
      }
      at += bytes.write(END, at);
    }
    return bytes;
  }
}

const END = "\r\n";
