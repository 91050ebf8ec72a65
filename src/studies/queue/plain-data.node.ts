// Settings, pieces and results as strings of JSON, with everything that a message between threads can hold: a Map, -0,
// undefined, NaN. A result that came another way would give another document.
import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Compressed, because each piece carries the settings of its sweep: names of hundreds of mutants. */
export const encode = (data: unknown): string => deflateRawSync(serialize(data)).toString("base64");

export const decode = (text: string): unknown =>
  deserialize(inflateRawSync(Buffer.from(text, "base64")));

/** The same piece of the same sweep has the same name in each run: what a run before has computed is found again. */
export const nameOfPiece = (
  sweep: string,
  settings: string,
  place: number,
  piece: string,
): string =>
  createHash("sha256")
    .update(JSON.stringify([sweep, settings, place, piece]))
    .digest("hex");
