// Calls a script by its hash, or with its text if the store may not have the script yet.
import { createHash } from "node:crypto";
import { Command } from "ioredis";
import { scriptOf, type Rewrite } from "./lua/script.ts";
import type { Row } from "./redis-batch.ts";
import type { RedisConnection } from "./redis-connection.node.ts";

/** Null: the call failed, or there is no connection. */
type OnBytes = (answer: Buffer | null) => void;

type CallScript = (
  pieces: number,
  keys: readonly string[],
  nonce: string,
  rows: readonly Row[],
  onBytes: OnBytes,
) => void;

interface Script {
  readonly text: string;
  readonly sha: string;
}

/** Returns a function that calls scripts. `isSplit`: the store is a cluster; each node has its own scripts. */
export function scriptCaller(
  connection: RedisConnection,
  isSplit: boolean,
  rewrite?: Rewrite,
): CallScript {
  const scripts = new Map<number, Script>();
  const sentScripts = new Set<Script>(); // sent over the present connection
  connection.on("close", () => sentScripts.clear());
  return (pieces, keys, nonce, rows, onBytes) => {
    let script = scripts.get(pieces);
    if (script === undefined) scripts.set(pieces, (script = buildScript(pieces, rewrite)));
    const { text, sha } = script;
    const call = (isKnown: boolean): void => {
      const [name, body] = isKnown ? ["evalsha", sha] : ["eval", text];
      const command = new ScriptCall(name, body, keys, nonce, rows, (error, result) => {
        if (isKnown && error?.message.startsWith("NOSCRIPT") === true) call(false);
        else onBytes(error ? null : (result as Buffer));
      });
      void connection.sendCommand(command);
    };
    // A script that was sent before over this connection is stored by the time the next command arrives.
    const isKnown = isSplit || sentScripts.has(script);
    if (!isKnown && connection.status === "ready") sentScripts.add(script);
    call(isKnown);
  };
}

function buildScript(pieces: number, rewrite?: Rewrite): Script {
  const text = scriptOf(pieces, rewrite);
  return { text, sha: createHash("sha1").update(text).digest("hex") };
}

/** Writes the call as one buffer, because it has hundreds of keys and thousands of numbers. */
class ScriptCall extends Command {
  readonly script: string;
  readonly all: readonly string[]; // keys
  readonly nonce: string;
  readonly rows: readonly Row[];

  /** Gives the library only the first key, which determines the node: the library processes every key it gets. */
  constructor(
    name: string,
    script: string,
    keys: readonly string[],
    nonce: string,
    rows: readonly Row[],
    onReply: (error: Error | null | undefined, result: unknown) => void,
  ) {
    super(name, [script, "1", keys[0]!], { replyEncoding: null }, onReply);
    this.script = script;
    this.all = keys;
    this.nonce = nonce;
    this.rows = rows;
  }

  override toWritable(): Buffer {
    const { rows } = this;
    const head = this.#head();
    const openings = rows.map((row) => `$${row.length * 8}${END}`);
    let size = Buffer.byteLength(head);
    for (const [i, row] of rows.entries())
      size += openings[i]!.length + row.length * 8 + END.length;
    const bytes = Buffer.allocUnsafe(size);
    const numbers = new DataView(bytes.buffer, bytes.byteOffset, size);
    let at = bytes.write(head);
    for (const [i, row] of rows.entries()) {
      at += bytes.write(openings[i]!, at, "latin1");
      for (let k = 0; k < row.length; k++, at += 8) numbers.setFloat64(at, row[k]!, true);
      at += bytes.write(END, at, "latin1");
    }
    return bytes;
  }

  /** The arguments before the rows. */
  #head(): string {
    const { name, script, all, nonce, rows } = this;
    const opening = `*${4 + all.length + rows.length}${END}`;
    const texts = [name, script, String(all.length), ...all, nonce];
    let head = opening;
    for (const text of texts)
      head += (LENGTHS[text.length] ?? lengthLine(text.length)) + text + END;
    // Texts are nearly always ASCII, and counting the bytes of each would cost as much as writing it.
    if (Buffer.byteLength(head) === head.length) return head;
    head = opening;
    for (const text of texts) head += lengthLine(Buffer.byteLength(text)) + text + END;
    return head;
  }
}

const END = "\r\n";

const lengthLine = (bytes: number): string => `$${bytes}${END}`;
const LENGTHS = Array.from({ length: 256 }, (_, bytes) => lengthLine(bytes));
