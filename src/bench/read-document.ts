// What every document that a measurement leaves is read by: whole, of a format that is known, and with a footer that adds up.
import type { z } from "zod";

const MOST_FAULTS = 3;

/** A sentence says why the text is no such document, and where. */
export function readDocument<T>(text: string, format: string, schema: z.ZodType<T>): T | string {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return "this is no JSON; a document that was cut off is none either";
  }
  if (typeof document !== "object" || document === null || !("format" in document))
    return `this is no document of Weir: it does not begin with "format": "${format}"`;
  if (document.format !== format)
    return `its format is ${JSON.stringify(document.format)}, and only ${format} is read`;
  if (!("footer" in document)) return "it has no footer, so that its end is missing";
  const read = schema.safeParse(document);
  if (read.success) return read.data;
  return read.error.issues
    .slice(0, MOST_FAULTS)
    .map(({ path, message }) => `${path.join(".") || "at its top"}: ${message}`)
    .join("; ");
}

/** Where a footer says something else than the rest. */
export function footerFault<F extends Readonly<Record<string, number>>>(
  said: F,
  counted: F,
): string | null {
  const wrong = Object.entries(counted).find(([what, number]) => said[what] !== number);
  return wrong === undefined
    ? null
    : `footer.${wrong[0]}: it says ${said[wrong[0]]}, but there are ${wrong[1]}: it was changed, or cut and mended`;
}
