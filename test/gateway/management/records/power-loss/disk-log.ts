// The log that `shim.c` writes: what became of the files of one folder, in its order.

export type DiskOperation =
  | { readonly kind: "create"; readonly path: string; readonly inode: number }
  | {
      readonly kind: "write";
      readonly inode: number;
      readonly offset: number;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: "truncate"; readonly inode: number; readonly length: number }
  | { readonly kind: "sync"; readonly inode: number }
  | { readonly kind: "sync folder"; readonly path: string }
  | { readonly kind: "make folder" | "unlink" | "remove folder"; readonly path: string }
  | { readonly kind: "rename" | "link"; readonly from: string; readonly to: string }
  | { readonly kind: "note"; readonly text: string }; // of the program that drives it all

const HEAD_BYTES = 29;

const PATHS = { m: "make folder", u: "unlink", x: "remove folder" } as const;
const PAIRS = { r: "rename", l: "link" } as const;

/** Throws for a log that is cut off: then a record was being written, and nothing is known of it. */
export function readDiskLog(log: Uint8Array): readonly DiskOperation[] {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const decoder = new TextDecoder();
  const operations: DiskOperation[] = [];
  for (let at = 0; at < log.length;) {
    if (at + HEAD_BYTES > log.length) throw new Error(`the log is cut off at ${at}`);
    const letter = String.fromCharCode(log[at]!);
    const namesLength = view.getUint32(at + 1, true);
    const [inode, offset, length] = [5, 13, 21].map((from) =>
      Number(view.getBigUint64(at + from, true)),
    ) as [number, number, number];
    const namesAt = at + HEAD_BYTES;
    const dataAt = namesAt + namesLength;
    at = dataAt + length;
    if (at > log.length) throw new Error(`the log is cut off at ${dataAt}`);
    const names = decoder.decode(log.subarray(namesAt, dataAt));
    const bytes = log.subarray(dataAt, at);
    operations.push(operationOf(letter, names, inode, offset, bytes));
  }
  return operations;
}

function operationOf(
  letter: string,
  names: string,
  inode: number,
  offset: number,
  bytes: Uint8Array,
): DiskOperation {
  switch (letter) {
    case "c":
      return { kind: "create", path: names, inode };
    case "w":
      return { kind: "write", inode, offset, bytes };
    case "t":
      return { kind: "truncate", inode, length: offset };
    case "s":
      return { kind: "sync", inode };
    case "d":
      return { kind: "sync folder", path: names };
    case "m":
    case "u":
    case "x":
      return { kind: PATHS[letter], path: names };
    case "r":
    case "l": {
      const [from = "", to = ""] = names.split("\0");
      return { kind: PAIRS[letter], from, to };
    }
    case "n":
      return { kind: "note", text: names };
    default:
      throw new Error(`the log has an operation ${JSON.stringify(letter)}`);
  }
}

/** A record that is put behind the others: with one write to a file opened for appending. */
export function noteRecord(text: string): Uint8Array {
  const names = new TextEncoder().encode(text);
  const record = new Uint8Array(HEAD_BYTES + names.length);
  record[0] = "n".charCodeAt(0);
  new DataView(record.buffer).setUint32(1, names.length, true);
  record.set(names, HEAD_BYTES);
  return record;
}
