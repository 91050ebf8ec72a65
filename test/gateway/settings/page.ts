// docs/reference/settings.md, generated from the table that settings are read by.
import type { Json } from "#src/kit/reading/shape.ts";
import { SETTINGS_CODES } from "#src/gateway/settings/codes.ts";
import {
  SETTING_NAMES,
  settingNamed,
  variableOf,
  type SettingName,
} from "#src/gateway/settings/table.ts";

const INTRODUCTION = `# Settings

For everyone who runs \`weir serve\`: every setting of a gateway process, with its default. [Serving](../serve/serving.md) shows how they
are used.

\`weir serve\` reads \`weir.yaml\` from the working folder, or the file that \`--config\` or \`WEIR_CONFIG\` names; YAML 1.2 or JSON. A dot in
a name means a map: \`listen.port\` is \`port\` below \`listen\`. A variable of the environment overrides the file, and a flag of the
command line overrides both. An empty variable has no effect. Paths in the file are relative to its folder.

A duration has one or more numbers with a unit: \`us\`, \`ms\`, \`s\`, \`m\` or \`h\`, such as \`1m30s\`. There is no unit for days. The longest
duration is a year. If a timer waits for it, it is at most \`576h\`, which is 24 days, because the timers of Node hold less than 25.

\`weir config\` prints the effective settings and their origin. \`weir schema --settings\` prints a JSON Schema for editors, and
\`weir schema --world\` that of the world. An editor that knows YAML finds them by a first line such as
\`# yaml-language-server: $schema=weir.schema.json\`.

This page is generated: \`npx vitest run test/gateway/settings/page.test.ts -u\`.
`;

const CHANGES = `A reload applies a setting with "reload" in the last column; the others change at the next start.
`;

export const settingsPage = (): string =>
  [
    INTRODUCTION,
    tableOf(["setting", "value", "default", "meaning", "changes at"], SETTING_NAMES.map(rowOf)),
    CHANGES,
    `## Variables and options\n`,
    tableOf(
      ["setting", "variable", "option"],
      SETTING_NAMES.map((name) => [code(name), code(variableOf(name)), optionOf(name)]),
    ),
    `## Problems\n`,
    tableOf(
      ["code", "meaning"],
      Object.entries(SETTINGS_CODES).map(([name, meaning]) => [code(name), meaning]),
    ),
  ].join("\n");

const rowOf = (name: SettingName): readonly string[] => {
  const { shape, fallback, doc, takesEffect = "start" } = settingNamed(name);
  return [code(name), shape.called, defaultOf(fallback), doc, takesEffect];
};

const defaultOf = (otherwise: Json): string =>
  otherwise === null
    ? ""
    : code(typeof otherwise === "string" ? otherwise : JSON.stringify(otherwise));

const optionOf = (name: SettingName): string => {
  const { flag } = settingNamed(name);
  return flag === undefined ? "" : code(`--${flag.name} ${flag.value}`);
};

const code = (text: string): string => `\`${text}\``;

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`)
    .join("");
