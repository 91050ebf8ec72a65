// Formats a result of weir lint for the terminal.
import type { HeaderVerdict } from "../../limiter/limit-headers/advertised.ts";
import { many, oneLine, type Paint, type Tone } from "../../kit/reading/legible.ts";
import type { LintedDialect, UnansweredLint } from "./result.ts";

const TONES: Readonly<Record<HeaderVerdict, Tone>> = {
  invalid: "bad",
  untrue: "bad",
  inconsistent: "bad",
  missing: "bad",
  inconclusive: "doubtful",
  valid: "good",
};

export function lintText(result: UnansweredLint, paint: Paint): readonly string[] {
  const { dialects, admitted, refused, other, ended, responses } = result;
  const counts = [
    `${admitted} admitted`,
    `${refused} refused`,
    ...(other === 0 ? [] : [`${other} with an error`]),
  ].join(", ");
  return [
    ...dialects.flatMap((dialect) => dialectText(dialect, result, paint)),
    oneLine(`${many(responses.length, "request")}: ${counts}; ${ended}`),
  ];
}

function dialectText(
  dialect: LintedDialect,
  { responses }: UnansweredLint,
  paint: Paint,
): readonly string[] {
  const { verdict, title, open, findings } = dialect;
  return [
    `${paint(TONES[verdict], verdict)} ${paint("strong", title)}${factsOf(dialect)}`,
    ...findings.flatMap(({ code, severity, header, column, message, fix, responses: seen }) => {
      const place = `${header ?? title}${column === null ? "" : `:${column}`}`;
      const first = seen[0]! + 1;
      const where =
        seen.length === 1
          ? `response ${first}`
          : `${seen.length} of ${responses.length} responses, first ${first}`;
      const tone = severity === "error" ? "bad" : "doubtful";
      return [
        `  ${paint(tone, severity)}: ${oneLine(`${place} ${code} ${message}`)}`,
        `    ${paint("faint", "in ")} ${where}`,
        `    ${paint("faint", "fix")} ${oneLine(fix)}`,
      ];
    }),
    ...open.map((reason) => `  ${paint("doubtful", "open")}: ${oneLine(reason)}`),
  ];
}

function factsOf({ limit, windowSeconds, resetForm, waits, dialect }: LintedDialect): string {
  const parts = [
    ...(limit === null ? [] : [`limit ${limit}`]),
    ...(windowSeconds === null ? [] : [`window ${windowSeconds} s`]),
    ...(resetForm === null
      ? []
      : [`${dialect === "retry-after" ? "given" : "reset"} as ${resetForm}`]),
    ...waitsOf(waits, dialect),
  ];
  return parts.length === 0 ? "" : `: ${parts.join(", ")}`;
}

/** Such as "the wait is enough in 1 test, too short in 4". Whether less is enough matters only if no wait is too short. */
function waitsOf(
  { enough, short, needed }: LintedDialect["waits"],
  dialect: string,
): readonly string[] {
  if (short > 0)
    return [
      enough === 0
        ? `the wait is too short (${many(short, "test")})`
        : `the wait is enough in ${many(enough, "test")}, too short in ${short}`,
    ];
  return [
    ...(enough === 0 ? [] : [`the wait is enough (${many(enough, "test")})`]),
    ...(needed === 0 || dialect !== "retry-after" ? [] : ["one second less is not"]),
  ];
}
