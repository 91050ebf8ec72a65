// The behaviours that a manifest can have claims about: scenarios of one folder of the suite.
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The same relative path works from source and from compiled output. */
export const BEHAVIOURS = join(import.meta.dirname, "../../../scenarios/behaviours");

const ENDING = ".yaml";

/** Names without the folder, such as `five-of-ten`. */
export const behaviourNames = (): readonly string[] =>
  readdirSync(BEHAVIOURS)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .toSorted();
