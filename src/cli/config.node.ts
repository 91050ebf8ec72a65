// What is in force, and who said it.
import { SETTING_NAMES, settingNamed, variableOf } from "../settings/table.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { loadSettings } from "../serving/load.node.ts";
import { counted, sizesOf } from "../serving/sizes.ts";

export const config: Action = ({ values, switches }, { out, err }) => {
  const { sound, inForce, faults, warnings } = loadSettings(values, undefined, "always");
  for (const said of [...warnings, ...faults]) err(said);
  if (inForce === null || sound === null) return EXIT.usage;
  const { world } = sound;
  const sizes = world?.configuration ? sizesOf(world.configuration) : null;
  const rows = SETTING_NAMES.map((name) => {
    const said = inForce.said[name];
    const { shown } = settingNamed(name);
    const origin = inForce.origins[name];
    return {
      name,
      value: shown !== undefined && typeof said === "string" ? shown(said) : said,
      from: origin.words,
    };
  });
  if (switches.has("json")) {
    const settings = rows.map((row) => ({ ...row, variable: variableOf(row.name) }));
    out(JSON.stringify({ settings, world: sizes, warnings }, null, 2));
    return EXIT.passed;
  }
  const shown = rows.map(({ name, value, from }) => [
    name,
    value === null ? "-" : typeof value === "string" ? value : JSON.stringify(value),
    from,
  ]);
  const wide = [0, 1].map((column) => Math.max(...shown.map((row) => row[column]!.length)));
  for (const [name = "", value = "", from = ""] of shown)
    out(`${name.padEnd(wide[0]!)}  ${value.padEnd(wide[1]!)}  ${from}`);
  const which = sound.isDemo ? "the demo" : sound.settings.world;
  out(sizes === null ? "no world is named" : `${which}: ${counted(sizes)}`);
  return EXIT.passed;
};
