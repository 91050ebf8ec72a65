// Where a scenario of the playground is from: an example, the suite, or an address.
import { Failure } from "../../../kit/reading/failure.ts";
import { siteScenarioIn, stateOf } from "../address.ts";
import { fileOfExample, SITE_EXAMPLES } from "../examples.ts";
import { formScenario } from "../form.ts";
import type { ScenarioText } from "../run-scenario.ts";

export interface OpenedScenario {
  readonly scenario: ScenarioText;
  readonly example: string | null; // its id
}

/** Loads a file of the site. */
export type LoadAsset = (name: string) => Promise<Response>;

/** An empty address is that of the first example. */
export async function scenarioIn(
  fragment: string,
  load: LoadAsset,
): Promise<OpenedScenario | Failure> {
  const id = siteScenarioIn(fragment);
  if (id !== null) return scenarioOfSite(id, load);
  const read = await stateOf(fragment);
  if (read === null) return exampleCalled(SITE_EXAMPLES[0]!.id, load);
  return read instanceof Failure ? read : { scenario: read, example: null };
}

export async function exampleCalled(
  id: string,
  load: LoadAsset,
): Promise<OpenedScenario | Failure> {
  const example = SITE_EXAMPLES.find((each) => each.id === id)!;
  try {
    const text =
      example.form === null ? await (await load(`${id}.yaml`)).text() : formScenario(example.form);
    return { scenario: { file: fileOfExample(example), text, seed: 1 }, example: id };
  } catch (error) {
    return new Failure(`The example cannot be opened: ${(error as Error).message}.`);
  }
}

async function scenarioOfSite(id: string, load: LoadAsset): Promise<OpenedScenario | Failure> {
  try {
    const all = (await (await load("scenarios.json")).json()) as Readonly<Record<string, string>>;
    const text = Object.hasOwn(all, id) ? all[id] : undefined;
    if (text === undefined) return new Failure(`The site has no scenario ${id}.`);
    return { scenario: { file: `scenarios/${id}.yaml`, text, seed: 1 }, example: null };
  } catch (error) {
    return new Failure(`The scenario cannot be opened: ${(error as Error).message}.`);
  }
}
