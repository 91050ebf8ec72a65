import { scenarioSchema, worldFileSchema } from "../scenario/page/schema.ts";
import { settingsSchema } from "../settings/schema.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";

export const schema: Action = ({ switches }, { out }, refuse) => {
  if (switches.has("settings") && switches.has("world"))
    return refuse("--settings and --world are two schemas; ask for one");
  const wanted = switches.has("settings")
    ? settingsSchema()
    : switches.has("world")
      ? worldFileSchema()
      : scenarioSchema();
  out(JSON.stringify(wanted, null, 2));
  return EXIT.passed;
};
