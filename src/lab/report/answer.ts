// The answer of a command: sentences for people, each with the numbers that it states for programs.
import { z } from "zod";

export const answerSchema = z
  .array(
    z.strictObject({
      /** Names the statement; the same in all results of a command. */
      id: z.string(),
      text: z.string(),
      numbers: z.record(z.string(), z.number()),
      /** A part of the text that can be typed; a terminal prints how Weir was started in place of its `weir`. */
      command: z.string().exactOptional(),
    }),
  )
  .readonly();

/** The first sentence answers the question of the command; the others have its cause, its price and its limits. */
export type Answer = z.infer<typeof answerSchema>;
export type AnswerSentence = Answer[number];
