// Writes data as YAML in lines. The package yaml would be in the bundle of each translator, ten times their own size.
import type { JsonMap } from "../../kit/reading/shape.ts";

const PLAIN = /^[A-Za-z_][\w./-]*$/;
const OTHER_MEANINGS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

const scalar = (value: unknown): string =>
  typeof value === "string" && PLAIN.test(value) && !OTHER_MEANINGS.test(value)
    ? value
    : JSON.stringify(value);

export const blockYaml = (value: JsonMap | readonly JsonMap[]): string =>
  `${linesOf(value).join("\n")}\n`;

function linesOf(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((each) =>
      linesOf(each).map((line, at) => `${at === 0 ? "- " : "  "}${line}`),
    );
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return [scalar(value)];
  return Object.entries(value).flatMap(([name, content]) => {
    const lines = linesOf(content);
    const isShort =
      typeof content !== "object" || content === null || lines[0] === "{}" || lines[0] === "[]";
    return isShort
      ? [`${scalar(name)}: ${lines[0]!}`]
      : [`${scalar(name)}:`, ...lines.map((line) => `  ${line}`)];
  });
}
