// The search for scenarios.
import type { ScenarioReport } from "../../lab/report/model.ts";
import { folderOf } from "./parts.ts";

/** The conditions of a search. An empty string means no condition. */
export interface Sought {
  readonly text: string;
  readonly outcome: string;
  readonly folder: string;
  readonly requirement: string;
  readonly algorithm: string;
}

export const NOTHING_SOUGHT: Sought = {
  text: "",
  outcome: "",
  folder: "",
  requirement: "",
  algorithm: "",
};

/** What a search examines of a scenario. Collected once, because each key press searches it. */
interface Findable {
  readonly text: string; // in lower case
  readonly folder: string;
  readonly outcomes: ReadonlySet<string>;
  readonly requirements: ReadonlySet<string>;
  readonly algorithms: ReadonlySet<string>;
}

/** The text includes world and traffic, so that keys, APIs and flows are found by name. */
export function findable(scenario: ScenarioReport): Findable {
  const { id, file, title, about, proves, words, variants } = scenario;
  const requirements = new Set(proves);
  for (const { verdicts } of variants)
    for (const verdict of verdicts) for (const each of verdict.proves) requirements.add(each);
  const names = variants.map(({ name }) => name);
  const texts = [words, ...variants.map((variant) => variant.words)].flatMap((each) => [
    ...each.world,
    ...each.traffic,
  ]);
  return {
    text: [file, id, title, about, ...requirements, ...names, ...texts].join("\n").toLowerCase(),
    folder: folderOf(id),
    outcomes: new Set(variants.map(({ outcome }) => outcome)),
    requirements,
    algorithms: new Set(variants.flatMap(({ algorithms }) => algorithms)),
  };
}

/** True if the scenario contains every word and meets the other conditions. */
export function isFound(one: Findable, sought: Sought): boolean {
  const isIn = (set: ReadonlySet<string>, value: string): boolean => value === "" || set.has(value);
  return (
    (sought.folder === "" || sought.folder === one.folder) &&
    isIn(one.outcomes, sought.outcome) &&
    isIn(one.requirements, sought.requirement) &&
    isIn(one.algorithms, sought.algorithm) &&
    sought.text
      .toLowerCase()
      .split(/\s+/)
      .every((word) => one.text.includes(word))
  );
}
