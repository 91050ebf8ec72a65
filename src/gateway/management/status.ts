// Successful responses of the dashboard and admin APIs.
import { z } from "zod";

export const warningsOrNull = z.strictObject({ warnings: z.array(z.string()) }).nullable();

export const warningsMeta = (warnings: readonly string[]): z.infer<typeof warningsOrNull> =>
  warnings.length === 0 ? null : { warnings: [...warnings] };

/** `Message` and `Meta` have different schemas in each operation. */
export const done = <Meta extends z.ZodType>(message: z.ZodType<string>, meta: Meta) =>
  z.strictObject({ Status: z.literal("OK"), Message: message, Meta: meta });

export const doneWith = (message: string, meta: unknown): Readonly<Record<string, unknown>> => ({
  Status: "OK",
  Message: message,
  Meta: meta,
});
