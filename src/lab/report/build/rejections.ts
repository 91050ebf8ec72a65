// Who was rejected, and why: no limit had a part in it (LIM-C16), so there is nothing to explain of budgets.
import { groupRejections } from "../../check/rejections.ts";
import { requestNames } from "../../check/request-names.ts";
import type { History } from "../../scenario/history.ts";
import type { VariantReport } from "../model.ts";

const MOST_LISTED = 20;

export function rejectionCausesOf(history: History): VariantReport["rejectionCauses"] {
  const nameOf = requestNames(history);
  return groupRejections(history, history.requests.reason.keys())
    .slice(0, MOST_LISTED)
    .map(({ status, cause, rows: [first, ...others] }) => ({
      status,
      cause,
      count: others.length + 1,
      first: nameOf(first),
    }));
}
