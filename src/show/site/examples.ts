// The examples of the playground: each is an image of its run, which a reader chooses. Some are scenarios of the suite,
// others positions of the form.
import { html, type Html } from "../html/html.ts";
import { USUAL_STATE, type FormState } from "./form.ts";
import type { RequestMarks } from "./request-marks.ts";
import { laneOfAll, stacksOf } from "./timeline/lanes.ts";
import { stacksHtml } from "./timeline/timeline-html.ts";

export interface SiteExample {
  readonly id: string;
  readonly name: string;
  /** Null: a scenario of the suite, whose id is this one. */
  readonly form: FormState | null;
}

export const SITE_EXAMPLES: readonly SiteExample[] = [
  { id: "examples/two-limiters", name: "Two limiters, one traffic", form: USUAL_STATE },
  { id: "examples/window-edge", name: "The edge of a window", form: null },
  { id: "examples/retrying-herd", name: "A herd that retries", form: null },
  {
    id: "examples/scraper",
    name: "One scraper among others",
    form: {
      ...USUAL_STATE,
      numbers: { ...USUAL_STATE.numbers, clients: 10, each: 1, atOnce: 0 },
      names: { ...USUAL_STATE.names, population: "scraper", second: "sliding_log" },
    },
  },
  { id: "examples/dying-gateway", name: "A gateway crashes", form: null },
  { id: "examples/store-outage", name: "The store is down", form: null },
  { id: "examples/smoothing-ramp", name: "A limit that follows", form: null },
  { id: "examples/login-by-address", name: "Guessed passwords", form: null },
  { id: "examples/two-policies", name: "Two policies on a key", form: null },
  { id: "examples/first", name: "Five of six", form: null },
];

/** The name of the file of an example in commands. */
export const fileOfExample = ({ id, form }: SiteExample): string =>
  form === null ? `scenarios/${id}.yaml` : FORM_FILE;

export const FORM_FILE = "scenarios/try/traffic.yaml";

const COLUMNS = 32;
const MOST_LANES = 2;

/** The first lanes of a run, as an image that needs no words. */
export function pictureHtml(variants: readonly RequestMarks[]): Html {
  const shown = variants.slice(0, MOST_LANES);
  const endUs = Math.max(1, ...shown.map((marks) => marks.endUs));
  const stacks = shown.map((marks, variant) =>
    stacksOf(laneOfAll("", variant, marks), marks, endUs, COLUMNS),
  );
  const most = Math.max(1, ...stacks.map(({ highest }) => highest));
  return html`<span class="thumbnail">${stacks.map((lane) => stacksHtml(lane, most, "none"))}</span>`;
}
