// Finds and opens logs: files, folders and standard input, compressed or not.
import {
  closeSync,
  createReadStream,
  openSync,
  readdirSync,
  readSync,
  statSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { whyUnreadable } from "../../kit/reading/text-file.node.ts";
import { logTitle } from "./log-file.ts";
import { RowError } from "./row-format.ts";

export interface LogSource {
  readonly name: string; // path; "-" is standard input
  readonly isFromFolder: boolean; // the user named its folder, not the file
  /** A SELECT whose rows are read in place of a file. */
  readonly sql?: string;
}

export const sourceOfSql = (sql: string): LogSource => ({
  name: "--sql",
  isFromFolder: false,
  sql,
});

/** Lists all logs; those of a folder are sorted by name. A failure names a path that does not exist. */
export function listSources(paths: readonly string[]): readonly LogSource[] | Failure {
  const sources: LogSource[] = [];
  for (const path of paths) {
    const stats = path === "-" ? null : statsOf(path);
    if (isFailure(stats)) return stats;
    if (stats?.isDirectory() !== true) {
      sources.push({ name: path, isFromFolder: false });
      continue;
    }
    const files = readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.name.startsWith("."))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((name) => statSync(name, { throwIfNoEntry: false })?.isFile() === true)
      .toSorted();
    if (files.length === 0) return new Failure(`${path}: the folder has no files`);
    for (const name of files) sources.push({ name, isFromFolder: true });
  }
  return once(sources);
}

/** Removes duplicates. A folder may have a log and a link to it, but a file that the user names twice is an error. */
function once(sources: readonly LogSource[]): readonly LogSource[] | Failure {
  const firsts = new Map<string, LogSource>();
  for (const source of sources) {
    const { name, isFromFolder } = source;
    const file = name === "-" ? name : fileOf(name);
    const first = firsts.get(file);
    if (first === undefined) firsts.set(file, source);
    else if (!isFromFolder || !first.isFromFolder)
      return new Failure(
        first.name === name
          ? `${logTitle(name)} is given twice, and would be counted twice; remove one`
          : `${first.name} and ${name} are one file, which would be counted twice; remove one`,
      );
  }
  return [...firsts.values()];
}

/** Identifies a file independently of its path. */
function fileOf(name: string): string {
  const { dev, ino } = statSync(name);
  return `${dev} ${ino}`;
}

function statsOf(path: string): Stats | Failure {
  try {
    return statSync(path);
  } catch (error) {
    return new Failure(`${path}: ${whyUnreadable(error)}`);
  }
}

/** Whether a log may be read twice: not a pipe or standard input, which cannot, and not a query, which takes long. */
export const canReopen = ({ name, sql }: Pick<LogSource, "name" | "sql">): boolean =>
  sql === undefined && name !== "-" && statSync(name).isFile();

const CHUNK_BYTES = 1 << 18;
const CHUNKS_A_TURN = 16;

type Chunks = AsyncIterator<Buffer, undefined>;

/** The unpacked bytes of a log, whose first bytes show how it is packed. A chunk is valid until the next one. */
export async function* unpackChunks(name: string): AsyncGenerator<Buffer, void, undefined> {
  if (isPlainFile(name)) {
    const file = openSync(name, "r");
    try {
      yield* readFileChunks(file, 0);
    } finally {
      closeSync(file);
    }
    return;
  }
  const stream =
    name === "-" ? process.stdin : createReadStream(name, { highWaterMark: CHUNK_BYTES });
  const chunks = stream[Symbol.asyncIterator]() as Chunks;
  try {
    const { value: first } = await chunks.next();
    if (first === undefined) return;
    const unpacker = unpackerOf(first);
    if (unpacker === null) yield* withFirst(first, chunks);
    else
      yield* pipeline(
        Readable.from(withFirst(first, chunks)),
        unpacker,
        () => {},
      ) as AsyncIterable<Buffer>;
  } finally {
    if (name !== "-") stream.destroy();
  }
}

/** Reuses one buffer for all chunks, since allocating a new one takes as long as reading. */
export async function* readFileChunks(
  file: number,
  from: number,
): AsyncGenerator<Buffer, void, undefined> {
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let at = from;
  for (let chunks = 1; ; chunks++) {
    const length = readSync(file, chunk, 0, CHUNK_BYTES - (at % CHUNK_BYTES), at);
    if (length === 0) return;
    at += length;
    yield chunk.subarray(0, length);
    if (chunks % CHUNKS_A_TURN === 0) await setImmediate(); // so that signals are handled before the end
  }
}

/** Whether a log can be read from any position. */
export const isPlainFile = (name: string): boolean => canReopen({ name }) && !isPacked(name);

const isPacked = (name: string): boolean => unpackerOf(firstBytes(name)) !== null;

/** The first four bytes of a file, which show how it is packed. */
export function firstBytes(name: string): Buffer {
  const file = openSync(name, "r");
  try {
    const first = Buffer.alloc(4);
    return first.subarray(0, readSync(file, first));
  } finally {
    closeSync(file);
  }
}

export const isParquet = (first: Buffer): boolean => first.toString("latin1", 0, 4) === "PAR1";

async function* withFirst(first: Buffer, rest: Chunks): AsyncGenerator<Buffer, void, undefined> {
  yield first;
  for (let next = await rest.next(); next.value !== undefined; next = await rest.next())
    yield next.value;
}

function unpackerOf(first: Buffer): NodeJS.ReadWriteStream | null {
  const options = { chunkSize: CHUNK_BYTES };
  if (first.length >= 2 && first.readUInt16BE(0) === 0x1f8b) return createGunzip(options);
  if (first.length >= 4 && first.readUInt32BE(0) === 0x28b52ffd)
    return createZstdDecompress(options);
  return null;
}

/** Explains an error of the system or of a damaged archive. Any other error is a bug and is thrown. */
export function whyUnread(error: unknown): string {
  if (error instanceof RowError) return error.message;
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === "Z_BUF_ERROR") return "the archive is cut off";
  if (code?.startsWith("Z_") === true || code?.startsWith("ZSTD_") === true)
    return "the archive is damaged";
  return whyUnreadable(error);
}
