import { scenarioSchema } from "../scenario/page/schema.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";

export const schema: Action = (_args, { out }) => {
  out(JSON.stringify(scenarioSchema(), null, 2));
  return EXIT.passed;
};
