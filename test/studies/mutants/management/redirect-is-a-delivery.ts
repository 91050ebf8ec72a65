import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { SettledBy } from "../private.ts";

export const mutant: Mutant<SettledBy> = {
  about: "a redirect counts as delivered",
  breaks: ["EVT-C3"],
  replaces: "gateway/management/events/courier.ts#resultOf",
  by: (right, delivery, receipt, ...rest) =>
    right(
      delivery,
      receipt.status !== null && receipt.status >= 300 && receipt.status < 400
        ? { status: 200, error: null }
        : receipt,
      ...rest,
    ),
};
