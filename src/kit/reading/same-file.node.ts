// Tests whether machines have equal files at one path: one describes its file, the others compare the description.
import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { hostname } from "node:os";
import { pipeline } from "node:stream/promises";
import { whyUnreadable } from "./text-file.node.ts";

export interface DescribedFile {
  readonly path: string; // absolute
  readonly sizeBytes: number;
  readonly digest: string;
}

/** Reads the whole file. Throws the system's error. */
export async function describeFile(path: string): Promise<DescribedFile> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return { path, sizeBytes: statSync(path).size, digest: hash.digest("hex") };
}

/** Why this machine's file at the path differs; null if it is the same. */
export async function whyNotSame(file: DescribedFile): Promise<string | null> {
  const { path, sizeBytes, digest } = file;
  try {
    const own = statSync(path).size;
    if (own !== sizeBytes)
      return `${path} has ${own} bytes on ${hostname()}, and ${sizeBytes} on the machine of the command; copy it again`;
    const { digest: ownDigest } = await describeFile(path);
    return ownDigest === digest
      ? null
      : `${path} has other contents on ${hostname()} than on the machine of the command; copy it again`;
  } catch (error) {
    return `${path}: ${whyUnreadable(error)} (on ${hostname()}); all machines need this file at this path`;
  }
}
