// How the clients of one flow fare, one by one: a part of the documents of weir run and weir try.
import { z } from "zod";

const count = z.int().min(0);
const share = z.number().min(0).max(1);

/** Quantiles over clients, by nearest rank; null: infinite, because requests were never admitted. */
const quantiles = z.strictObject({
  least: z.number().nullable(),
  p10: z.number().nullable(),
  median: z.number().nullable(),
  p90: z.number().nullable(),
  most: z.number().nullable(),
});

export const perClientSchema = z.strictObject({
  clients: count,
  distribution: z.strictObject({
    requests: quantiles,
    attempts: quantiles,
    gaveUp: quantiles,
    servedShare: quantiles,
    successUs: quantiles,
  }),
  /** At most 20 clients: the smallest admitted share first, then the longest time to success. */
  worst: z
    .array(
      z.strictObject({
        client: count,
        requests: count,
        attempts: count,
        admitted: count,
        gaveUp: count,
        servedShare: share,
        successUs: count.nullable(),
      }),
    )
    .readonly(),
});
