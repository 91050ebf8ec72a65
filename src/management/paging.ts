// Page numbers of lists in the dashboard and admin APIs (MGT-C3).
import { table, integerInQuery } from "./families/fields.ts";
import type { Listed, Page } from "./records/records.ts";

const FURTHEST = 2 ** 31 - 1;

export const byPage = table("the query", { p: integerInQuery(-(2 ** 31), FURTHEST).optional() });

/** From 1; below 0 all of them, null (MGT-4). */
export const pageOf = (p: number | undefined, size: number): Page | null =>
  p !== undefined && p < 0 ? null : { size, page: Math.max(1, p ?? 1) };

export const pagesOf = ({ total }: Pick<Listed, "total">, page: Page | null): number =>
  page === null ? Math.min(1, total) : Math.ceil(total / page.size);
