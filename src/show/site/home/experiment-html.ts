// An experiment as the build writes it, complete without a script. `lookOf` is what changes under the handle.
import { html, NOTHING, type Html } from "../../html/html.ts";
import { formatCount } from "../../html/parts.ts";
import {
  dashesOf,
  firstColumns,
  highestIn,
  countOffered,
  pathOf,
  GRAPH,
  widthOfColumn,
  type Columns,
} from "./columns.ts";
import { countIn, type SiteExperiment, type ExperimentLane } from "./experiments.ts";

/** An experiment with the run of one value of its handle. */
export interface RunExperiment {
  readonly value: number;
  readonly lanes: readonly Columns[]; // as in `SiteExperiment.lanes`
}

interface LaneLook {
  readonly name: string;
  readonly count: string;
  readonly isBad: boolean;
  readonly why: string;
  readonly admitted: string; // paths
  readonly refused: string;
}

export function lookOf(
  experiment: SiteExperiment,
  { name, why }: ExperimentLane,
  columns: Columns,
  { value, lanes }: RunExperiment,
): LaneLook {
  const most = highestIn(lanes);
  return {
    ...countLook(experiment, columns),
    name: name(value),
    why: why(value, columns),
    admitted: pathOf(columns.admitted, null, most),
    refused: pathOf(columns.refused, columns.admitted, most),
  };
}

/** The large figure of the first columns, while a run is being shown. */
export const countSoFar = (
  experiment: SiteExperiment,
  columns: Columns,
  shown: number,
): Pick<LaneLook, "count" | "isBad"> => countLook(experiment, firstColumns(columns, shown));

function countLook(
  experiment: SiteExperiment,
  columns: Columns,
): Pick<LaneLook, "count" | "isBad"> {
  const count = countIn(experiment, columns);
  return { count: formatCount(count), isBad: experiment.isBad(count) };
}

/** The requests before any decision, which both limiters get. */
export const streamPath = ({ lanes }: RunExperiment): string =>
  pathOf(countOffered(lanes[0]!), null, highestIn(lanes));

const percent = (part: number): string => `${Number((100 * part).toFixed(2))}%`;

function graphHtml({ shown, edge }: SiteExperiment, lanes: readonly Columns[], paths: Html): Html {
  const at = edge === null ? null : percent((edge - shown.from) / (shown.to - shown.from));
  return html`<div class="graph"><svg viewBox="0 0 ${GRAPH.width} ${GRAPH.height}" preserveAspectRatio="none" aria-hidden="true" stroke-width="${widthOfColumn(shown.columns)}" stroke-dasharray="${dashesOf(highestIn(lanes))}">${paths}</svg>${at !== null && html`<i class="edge" style="left:${at}"></i>`}</div>`;
}

function ticksHtml({ shown: { from, to }, ticks }: SiteExperiment): Html {
  const labels = ticks.map(
    ([at, label]) => html`<span style="left:${percent((at - from) / (to - from))}">${label}</span>`,
  );
  return html`<div class="ticks" aria-hidden="true">${labels}</div>`;
}

function laneHtml(experiment: SiteExperiment, index: number, run: RunExperiment): Html {
  const columns = run.lanes[index]!;
  const look = lookOf(experiment, experiment.lanes[index]!, columns, run);
  const paths = html`<path class="admitted" d="${look.admitted}"/><path class="refused" d="${look.refused}"/>`;
  return html`<div class="lane"><h3 data-part="name">${look.name}</h3>
<p class="amount${look.isBad && html` bad`}"><b data-part="count">${look.count}</b> ${experiment.unit}</p>
${graphHtml(experiment, run.lanes, paths)}${experiment.dragsBurst ? NOTHING : ticksHtml(experiment)}
<p class="why" data-part="why">${look.why}</p></div>`;
}

/** The handle: a slider, which is the burst itself where a reader drags it through the traffic. */
function handleHtml(experiment: SiteExperiment, run: RunExperiment): Html {
  const { id, handle, dragsBurst } = experiment;
  const { label, least, most, step, words } = handle;
  const input = html`<input type="range" class="live" id="${id}-handle" min="${least}" max="${most}" step="${step}" value="${run.value}" aria-valuetext="${words(run.value)}">`;
  const stream = html`<div class="stream">${graphHtml(experiment, run.lanes, html`<path class="offered" d="${streamPath(run)}"/>`)}${input}</div>${ticksHtml(experiment)}`;
  return html`<div class="knob"><label for="${id}-handle"><span class="live">${label}</span> <output for="${id}-handle">${words(run.value)}</output></label>${dragsBurst ? stream : input}</div>`;
}

/** `address` is that of the playground with this run. */
export function experimentHtml(
  experiment: SiteExperiment,
  run: RunExperiment,
  address: string,
  heading: "h1" | "h2",
): Html {
  const { id, question, about, lesson, dragsBurst } = experiment;
  const handle = handleHtml(experiment, run);
  const title = heading === "h1" ? html`<h1>${question}</h1>` : html`<h2>${question}</h2>`;
  return html`<section class="experiment" id="${id}" data-run="${JSON.stringify(run)}">
<div class="question">${title}<p class="soft">${about}</p></div>
${dragsBurst ? handle : NOTHING}
<div class="lanes">${experiment.lanes.map((_, index) => laneHtml(experiment, index, run))}</div>
${dragsBurst ? NOTHING : handle}
<p class="lesson">${lesson}</p>
<p class="after"><button type="button" class="live" data-part="again">Show again</button> <button type="button" class="live" data-save="png">Save as PNG</button> <button type="button" class="live" data-save="svg">Save as SVG</button> <a href="${address}">Open it in the playground</a> <span class="keys soft"><i class="admitted"></i> admitted <i class="refused"></i> refused</span> <span data-part="state" role="status"></span></p>
</section>`;
}
