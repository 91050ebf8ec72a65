// The merged policies of a key: part of the document of a report.
import * as z from "zod";

const text = z.string();
const us = z.number();

const table = z
  .strictObject({
    keys: z.array(text).readonly(), // the first of the keys with this table
    moreKeys: z.int().min(0),
    api: text.nullable(), // null for the root limit
    sinceUs: us.nullable(), // null: since the start of the run
    rows: z
      .array(
        z
          .strictObject({
            policy: text,
            from: z.enum(["own", "root"]),
            limit: z.strictObject({ rate: z.number(), perUs: us }).readonly().nullable(),
          })
          .readonly(),
      )
      .readonly(),
    winner: z.int().min(0).nullable(),
    retired: z.strictObject({ rate: z.number(), perUs: us }).readonly().nullable(),
  })
  .readonly();

export const merges = z
  .strictObject({ tables: z.array(table).readonly(), leftOut: z.int().min(0) })
  .readonly();

export type MergesReport = z.infer<typeof merges>;
export type MergeTableReport = MergesReport["tables"][number];
