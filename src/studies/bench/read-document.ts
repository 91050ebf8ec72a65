// Reads documents of measurements. A document must be complete, of the expected format, and agree with its footer.
import type { z } from "zod";
import { Failure } from "../../kit/reading/failure.ts";

const MOST_PROBLEMS = 3;

/** A failure states each problem and its path in the document. */
export function readDocument<T>(text: string, format: string, schema: z.ZodType<T>): T | Failure {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new Failure("this is not JSON, or the document is incomplete");
  }
  if (typeof document !== "object" || document === null || !("format" in document))
    return new Failure(
      `this is not a document of Weir: it does not begin with "format": "${format}"`,
    );
  if (document.format !== format)
    return new Failure(
      `its format is ${JSON.stringify(document.format)}, and only ${format} is read`,
    );
  if (!("footer" in document)) return new Failure("it has no footer, so its end is missing");
  const read = schema.safeParse(document);
  if (read.success) return read.data;
  return new Failure(
    read.error.issues
      .slice(0, MOST_PROBLEMS)
      .map(({ path, message }) => `${path.join(".") || "at its top"}: ${message}`)
      .join("; "),
  );
}

/** Returns a failure about the first count in a footer that differs from the document; null if all counts agree. */
export function footerFailure<F extends Readonly<Record<string, number>>>(
  written: F,
  counted: F,
): Failure | null {
  const wrong = Object.entries(counted).find(([what, number]) => written[what] !== number);
  return wrong === undefined
    ? null
    : new Failure(
        `footer.${wrong[0]}: it is ${written[wrong[0]]}, and the document has ${wrong[1]}: the file was changed or is incomplete`,
      );
}
