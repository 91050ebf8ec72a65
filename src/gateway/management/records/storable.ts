// Strings that every database stores.
import { Rejection } from "../rejection.ts";

/** Not every database stores such a string, so a search for another one finds no record. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Replaces characters that not every database stores. */
export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll("\0", "\uFFFD");

/** Of what finds a record: its id, and its unique value. */
export function rejectUnstorable(...texts: readonly (string | null)[]): void {
  if (!texts.every((text) => text === null || isStorable(text)))
    throw new Rejection(400, "An id or a name contains a character that cannot be stored");
}
