// Rejects or replaces strings that not every database can store.
import { Rejection } from "../rejection.ts";

/** Whether every database can store the string. No record has any other string, so its lookup needs no query. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Replaces characters that not every database can store. */
export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll("\0", "\uFFFD");

/** Rejects ids and unique values that not every database can store. */
export function rejectUnstorable(...texts: readonly (string | null)[]): void {
  if (!texts.every((text) => text === null || isStorable(text)))
    throw new Rejection(400, "An id or a name contains a character that cannot be stored");
}
