// Encodes settings, pieces and results as strings that preserve each value of a thread message: a Map, -0, undefined,
// NaN. Plain JSON would lose these values, and results from other machines would differ from local ones.
import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Compresses `data`, because each piece contains the settings of its sweep, which may name hundreds of mutants. */
export const encode = (data: unknown): string => deflateRawSync(serialize(data)).toString("base64");

export const decode = (text: string): unknown =>
  deserialize(inflateRawSync(Buffer.from(text, "base64")));

/** A name that is the same for the same piece of a sweep in every run, so that earlier results are found again. */
export const nameOfPiece = (
  sweep: string,
  settings: string,
  place: number,
  piece: string,
): string =>
  createHash("sha256")
    .update(JSON.stringify([sweep, settings, place, piece]))
    .digest("hex");
