// Compares the headers about limits with what the specification allows (HDR-C2).
import { ceilSeconds, micros } from "../../kit/units.ts";
import type { Expected, ExpectedHeaders, BudgetHeaders } from "../oracle/expected.ts";
import type { History } from "../scenario/history.ts";

/** Null if the specification allows the headers of the row, else what it expects. */
export function headerDisagreement(
  history: History,
  row: number,
  { headers, why }: Expected,
): string | null {
  if (headers === null) return null;
  const got = headersOfRow(history, row);
  const wanted = headersAllowed(headers);
  if (wanted.some((each) => NAMES.every((name) => isAllowed(each[name], got[name])))) return null;
  for (const name of NAMES) {
    const allowed = wanted.map((each) => each[name]);
    if (!allowed.some((each) => isAllowed(each, got[name])))
      return `${formatHeader(name, got[name])}, expected ${[...new Set(allowed.map(inWords))].join(" or ")}: ${why}`;
  }
  // Each header by itself fits one of several budgets, but no budget fits all of them.
  return `no single budget has all these limit headers: ${why}`;
}

const NAMES = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
] as const;

type Got = Record<(typeof NAMES)[number], string | null>;

/** A header's text with `#` in place of each number; null: the header is absent. */
type Wanted = {
  readonly text: string;
  readonly spans: readonly BudgetHeaders["remaining"][];
} | null;

function headersOfRow({ requests, header }: History, row: number): Got {
  const number = (value: number): string | null => (Number.isNaN(value) ? null : String(value));
  return {
    "X-RateLimit-Limit": number(requests.limit[row]!),
    "X-RateLimit-Remaining": number(requests.remaining[row]!),
    "X-RateLimit-Reset": number(ceilSeconds(micros(header.epochUs + requests.resetUs[row]!))),
    "RateLimit-Policy": header.fields[requests.policy[row]!] ?? null,
    RateLimit: header.fields[requests.standing[row]!] ?? null,
  };
}

const SILENT: Record<(typeof NAMES)[number], Wanted> = {
  "X-RateLimit-Limit": null,
  "X-RateLimit-Remaining": null,
  "X-RateLimit-Reset": null,
  "RateLimit-Policy": null,
  RateLimit: null,
};

const headersAllowed = ({ form, budgets }: ExpectedHeaders): readonly (typeof SILENT)[] =>
  budgets.length === 0 || form === "off"
    ? [SILENT]
    : budgets.map((budget) => ({
        ...SILENT,
        ...(form === "ietf" ? {} : olderOf(budget)),
        ...(form === "legacy" ? {} : standardsOf(budget)),
      }));

const span = (value: number): BudgetHeaders["remaining"] => ({ from: value, to: value });

/** False if the limit never resets: its headers then have no reset time. */
const isFinite = ({ to }: BudgetHeaders["remaining"]): boolean => Number.isFinite(to);

const olderOf = ({ limit, remaining, resetUnixS }: BudgetHeaders): Partial<typeof SILENT> => ({
  "X-RateLimit-Limit": { text: "#", spans: [span(limit)] },
  "X-RateLimit-Remaining": { text: "#", spans: [remaining] },
  "X-RateLimit-Reset": isFinite(resetUnixS) ? { text: "#", spans: [resetUnixS] } : null,
});

const standardsOf = ({
  name,
  limit,
  remaining,
  windowS,
  resetInS,
}: BudgetHeaders): Partial<typeof SILENT> => ({
  "RateLimit-Policy": {
    text: `"${name}";q=#${windowS === null ? "" : ";w=#"}`,
    spans: [limit, windowS ?? []].flat().map(span),
  },
  RateLimit: isFinite(resetInS)
    ? { text: `"${name}";r=#;t=#`, spans: [remaining, resetInS] }
    : { text: `"${name}";r=#`, spans: [remaining] },
});

function isAllowed(wanted: Wanted, got: string | null): boolean {
  if (wanted === null || got === null) return wanted === got;
  if (wanted.text === "#") return isNumber(got) && isWithin(Number(got), wanted.spans[0]!);
  if (got.replaceAll(/\d+/g, "#") !== wanted.text) return false;
  const numbers = (got.match(/\d+/g) ?? []).map(Number);
  return wanted.spans.every((each, index) => isWithin(numbers[index]!, each));
}

const isNumber = (text: string): boolean => /^\d+$/.test(text);

const isWithin = (number: number, { from, to }: BudgetHeaders["remaining"]): boolean =>
  number >= from && number <= to;

const formatHeader = (name: string, value: string | null): string =>
  value === null ? `no ${name}` : `${name} ${value}`;

function inWords(wanted: Wanted): string {
  if (wanted === null) return "none";
  const spans = [...wanted.spans];
  return wanted.text.replaceAll("#", () => {
    const { from, to } = spans.shift()!;
    return from === to ? String(from) : `${from} to ${to}`;
  });
}
