// The document of `weir implementations run`: verdicts, with everything that they depend on.
import { z } from "zod";
import { CLOCKS, KINDS } from "../../lab/implementations/manifest.ts";
import { answerSchema } from "../../lab/report/answer.ts";
import { Failure } from "../../kit/reading/failure.ts";
import { VERDICTS, type ImplementationVerdict } from "./verdict.ts";

export const IMPLEMENTATIONS_RUN_FORMAT = "weir-implementations-run/1";

const count = z.int().min(0);

const confirmation = z
  .strictObject({
    seeds: z.array(z.int()).readonly(), // seeds that show the contradiction again
    tried: count,
    inRealTime: z.boolean().nullable(), // null: not tried, or neither passed nor failed
    scenario: z.string().nullable(), // a reduced scenario that shows the contradiction
    reduction: z.string(), // a sentence about that scenario, or why there is none
    decisions: z.array(z.string()).readonly(),
  })
  .readonly();

/** How a contradiction was seen again. */
export type Confirmation = z.infer<typeof confirmation>;

const judged = z
  .strictObject({
    behaviour: z.string(), // the id of its scenario, without the folder
    verdict: z.enum(VERDICTS),
    /** The expected and the observed values, or why the behaviour was not run. */
    evidence: z.array(z.string()).readonly(),
    /** The sentence of the documentation that decides the verdict, and its page or file; null: none. */
    sentence: z.string().nullable(),
    source: z.string().nullable(),
    again: z.string(), // a command that runs the behaviour again
    /** How a contradiction was confirmed; null for other verdicts. */
    confirmed: confirmation.nullable(),
  })
  .readonly();
export type JudgedBehaviour = z.infer<typeof judged>;

const implementation = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    version: z.string(),
    kind: z.enum(KINDS),
    language: z.string(), // empty: the manifest has none
    clock: z.enum(CLOCKS),
    /** Why the implementation was not run; null: it was run. */
    missing: z.string().nullable(),
    verdicts: z.array(judged).readonly(),
  })
  .readonly();
export type ImplementationRun = z.infer<typeof implementation>;

const footer = z
  .strictObject({
    ...(Object.fromEntries(VERDICTS.map((verdict) => [verdict, count])) as Record<
      ImplementationVerdict,
      typeof count
    >),
    run: count,
    notRun: count,
  })
  .readonly();
type RunFooter = z.infer<typeof footer>;

const implementationsRun = z
  .strictObject({
    format: z.literal(IMPLEMENTATIONS_RUN_FORMAT),
    answer: answerSchema.exactOptional(), // missing in older documents; readers compute it again
    weir: z.string(), // version of Weir
    commit: z.string().nullable(),
    date: z.iso.datetime(),
    seed: z.int(),
    behaviours: z
      .array(z.strictObject({ id: z.string(), title: z.string() }).readonly())
      .readonly(),
    implementations: z.array(implementation).readonly(),
    footer,
  })
  .readonly();
/** Without the answer, which follows from the rest. */
export type ImplementationsRun = Omit<z.infer<typeof implementationsRun>, "answer">;

export const implementationsRunSchema = (): unknown => z.toJSONSchema(implementationsRun);

export function footerOf(implementations: readonly ImplementationRun[]): RunFooter {
  const all = implementations.flatMap(({ verdicts }) => verdicts);
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, all.filter((each) => each.verdict === verdict).length]),
  ) as Record<ImplementationVerdict, number>;
  const notRun = implementations.filter(({ missing }) => missing !== null).length;
  return { ...counts, run: implementations.length - notRun, notRun };
}

/** The document of one implementation alone, as it is saved. */
export function documentOf(run: ImplementationsRun, one: ImplementationRun): ImplementationsRun {
  const implementations = [one];
  return { ...run, implementations, footer: footerOf(implementations) };
}

/** Reads a file, and checks that it is complete and that its footer follows from its verdicts. */
export function readImplementationsRun(text: string): ImplementationsRun | Failure {
  const read = implementationsRun.safeParse(JSON.parse(text));
  if (!read.success) {
    const [{ path, message }] = read.error.issues as [z.core.$ZodIssue];
    return new Failure(`${path.join(".") || "at its top"}: ${message}`);
  }
  const { answer: _, ...run } = read.data;
  return JSON.stringify(footerOf(run.implementations)) === JSON.stringify(run.footer)
    ? run
    : new Failure("footer: its counts are not those of the document; the file was changed");
}
