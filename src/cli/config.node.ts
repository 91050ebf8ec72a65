// Prints the effective settings and their origins.
import { SETTING_NAMES, settingNamed, variableOf } from "../gateway/settings/table.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { loadSettings } from "../gateway/serving/load.node.ts";
import { formatSizes, sizesOf } from "../gateway/serving/sizes.ts";

export const config: Action = ({ values, switches }, { out, err }) => {
  const { sound, effective, errors, warnings } = loadSettings(values, undefined, "always");
  for (const line of [...warnings, ...errors]) err(line);
  if (effective === null || sound === null) return EXIT.usage;
  const { world } = sound;
  const sizes = world?.configuration ? sizesOf(world.configuration) : null;
  const rows = SETTING_NAMES.map((name) => {
    const isOfDemo = sound.isDemo && (name === "records" || name === "upstream");
    const value = isOfDemo ? sound.settings[name] : effective.rawValues[name];
    const { redact } = settingNamed(name);
    const isChanged = value !== effective.rawValues[name];
    return {
      name,
      value: redact !== undefined && typeof value === "string" ? redact(value) : value,
      from: isChanged ? "the demo" : effective.origins[name].words,
    };
  });
  if (switches.has("json")) {
    const settings = rows.map((row) => ({ ...row, variable: variableOf(row.name) }));
    out(JSON.stringify({ settings, world: sizes, warnings }, null, 2));
    return EXIT.passed;
  }
  const cells = rows.map(({ name, value, from }) => [
    name,
    value === null ? "-" : typeof value === "string" ? value : JSON.stringify(value),
    from,
  ]);
  const wide = [0, 1].map((column) => Math.max(...cells.map((row) => row[column]!.length)));
  for (const [name = "", value = "", from = ""] of cells)
    out(`${name.padEnd(wide[0]!)}  ${value.padEnd(wide[1]!)}  ${from}`);
  const which = sound.isDemo ? "the demo" : sound.settings.world;
  out(sizes === null ? "no world is named" : `${which}: ${formatSizes(sizes)}`);
  return EXIT.passed;
};
