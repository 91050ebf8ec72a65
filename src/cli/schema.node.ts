import { scenarioSchema } from "../scenario/schema.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";

export const schema: Action = (_args, { out }) => {
  out(JSON.stringify(scenarioSchema(), null, 2));
  return EXIT.passed;
};
