// Reads every document of a measurement: complete, of a known format, and with a footer that adds up.
import type { z } from "zod";

const MOST_PROBLEMS = 3;

/** Returns a message if the text is no such document: the problem and its place. */
export function readDocument<T>(text: string, format: string, schema: z.ZodType<T>): T | string {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return "this is not JSON; an incomplete document is not either";
  }
  if (typeof document !== "object" || document === null || !("format" in document))
    return `this is not a document of Weir: it does not begin with "format": "${format}"`;
  if (document.format !== format)
    return `its format is ${JSON.stringify(document.format)}, and only ${format} is read`;
  if (!("footer" in document)) return "it has no footer, so its end is missing";
  const read = schema.safeParse(document);
  if (read.success) return read.data;
  return read.error.issues
    .slice(0, MOST_PROBLEMS)
    .map(({ path, message }) => `${path.join(".") || "at its top"}: ${message}`)
    .join("; ");
}

/** The first count of a footer that differs from the document. */
export function footerProblem<F extends Readonly<Record<string, number>>>(
  written: F,
  counted: F,
): string | null {
  const wrong = Object.entries(counted).find(([what, number]) => written[what] !== number);
  return wrong === undefined
    ? null
    : `footer.${wrong[0]}: it is ${written[wrong[0]]}, and the document has ${wrong[1]}: the file was changed or is incomplete`;
}
