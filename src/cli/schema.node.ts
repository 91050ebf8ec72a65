import { scenarioSchema } from "../scenario/page/schema.ts";
import { settingsSchema } from "../settings/schema.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";

export const schema: Action = ({ switches }, { out }) => {
  out(JSON.stringify(switches.has("settings") ? settingsSchema() : scenarioSchema(), null, 2));
  return EXIT.passed;
};
