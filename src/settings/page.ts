// docs/settings.md, written from the table that the settings are read by.
import type { Json } from "../reading/shape.ts";
import { SETTINGS_CODES } from "./codes.ts";
import { SETTING_NAMES, settingNamed, variableOf, type SettingName } from "./table.ts";

const INTRODUCTION = `# Settings

This page is generated; \`npx vitest run test/settings/page.test.ts -u\` writes it again. [Serving](serving.md) says how they are used.

\`weir serve\` reads \`weir.yaml\` from the folder it stands in, or the file that \`--config\` or \`WEIR_CONFIG\` names; YAML 1.2 or JSON. A name
with a dot lies a map deeper: \`listen.port\` is \`port\` under \`listen\`. A variable of the environment says more than the file, and an option
of the command line more than both. A variable that is empty says nothing. Paths count from the file that says them.

A duration has one or more numbers with a unit: \`us\`, \`ms\`, \`s\`, \`m\` or \`h\`, such as \`1m30s\`. Days are no unit. The longest duration is a
year. If a timer waits for it, it is at most \`576h\`, which is 24 days, because the timers of Node hold less than 25.

\`weir config\` prints what is in force and who said it. \`weir schema --settings\` prints a JSON Schema for editors,
and \`weir schema --world\` that of the world; an editor that knows YAML finds them by a first line such as
\`# yaml-language-server: $schema=weir.schema.json\`.
`;

const CHANGES = `What the last column calls "reload" is obeyed as soon as the settings are read again; the rest waits for the next start.
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
    `## What may be wrong\n`,
    tableOf(
      ["code", "meaning"],
      Object.entries(SETTINGS_CODES).map(([name, meaning]) => [code(name), meaning]),
    ),
  ].join("\n");

const rowOf = (name: SettingName): readonly string[] => {
  const { shape, otherwise, doc, takesEffect = "start" } = settingNamed(name);
  return [code(name), shape.called, defaultOf(otherwise), doc, takesEffect];
};

const defaultOf = (otherwise: Json): string =>
  otherwise === null
    ? ""
    : code(typeof otherwise === "string" ? otherwise : JSON.stringify(otherwise));

const optionOf = (name: SettingName): string => {
  const { flag, value } = settingNamed(name);
  return flag === undefined ? "" : code(`--${flag} ${value}`);
};

const code = (text: string): string => `\`${text}\``;

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`)
    .join("");
