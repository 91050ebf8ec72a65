// The timeline of the playground: empty at first, and the pieces that its script fills in.
import { formatDuration, micros, SECOND } from "../../../kit/units.ts";
import { html, type Html } from "../../html/html.ts";
import { dashesOf, GRAPH, widthOfColumn } from "../home/columns.ts";
import { MARK_ANSWERS } from "../request-marks.ts";
import { SITE_FAULTS } from "../with-fault.ts";
import type { TimelineEvent } from "./events.ts";
import { pathsOf, type LaneStacks } from "./lanes.ts";

/** Durations in seconds for showing a whole run; 0 shows the run for as long as its virtual time. */
const SPEEDS = [
  [5, "in 5 s"],
  [20, "in 20 s"],
  [60, "in 60 s"],
  [0, "as it happened"],
] as const;

/** Two lanes of the height that they have later, so that nothing moves when they arrive. */
const emptyLaneHtml = html`<div class="lane"><h3>&nbsp;</h3><p class="amounts">&nbsp;</p><div class="graph"></div></div>`;

const faultsHtml = (): Html =>
  html`<form class="row inject" data-part="inject"><span>Let something fail at <b data-part="when">0 s</b>:</span>${SITE_FAULTS.map(
    ({ name }, index) => html`<button type="button" data-inject="${index}">${name}</button>`,
  )}<span class="change" data-part="limits" hidden><label><span class="sr">Limit</span><select name="limit"></select></label> <label>Limit becomes <input type="number" name="rate" min="1" step="1" value="1"></label> <button type="button" name="change">Change the limit</button></span></form>`;

export const timelineHtml = (): Html => html`<div class="timeline live" id="timeline">
<p class="soft title" data-part="title">&nbsp;</p>
<div class="stage" data-part="stage">
<div class="flags" data-part="flags" role="group" aria-label="What happens during the run"></div>
<div data-part="lanes">${emptyLaneHtml}${emptyLaneHtml}</div>
<input type="range" data-part="moment" aria-label="Moment of the run" min="0" max="1" step="1" value="0">
<div class="ticks" data-part="ticks" aria-hidden="true">&nbsp;</div>
</div>
<div class="row steps"><output data-part="now">0s</output><button type="button" data-part="start">Start</button><button type="button" data-part="back">Previous</button><button type="button" data-part="next">Next</button><button type="button" data-part="refusal">Next refusal</button><label>Speed <select data-part="speed">${SPEEDS.map(
  ([seconds, name]) => html`<option value="${seconds}">${name}</option>`,
)}</select></label><label data-part="lane-choice" hidden>Lane <select data-part="variant"></select></label><label data-part="apart-choice" hidden><input type="checkbox" data-part="apart"> Its flows apart</label></div>
${faultsHtml()}
<p class="keys soft" data-part="keys" aria-hidden="true">&nbsp;</p>
<p><span data-part="request" aria-live="polite">Point at a request to read why it was admitted or refused.</span></p>
<div data-part="reason" aria-live="polite"></div>
</div>`;

export const laneHtml = (name: string, lane: number): Html =>
  html`<div class="lane" data-lane="${lane}"><h3>${name}</h3><p class="amounts" data-part="count"></p><div class="graph"></div></div>`;

/** The graph of a lane, with the requests that filled a budget and the one that a reader looks at. */
export const graphHtml = (lane: LaneStacks, most: number): Html =>
  html`${stacksHtml(lane, most, dashesOf(most))}<i class="later"></i><i class="ring" hidden></i>`;

/** Lost requests are narrow, so that they differ from others in more than their colour. */
const NARROW = 0.4;

/** The stacks of a lane, a path for each answer, and an empty one for marks. */
export function stacksHtml(lane: LaneStacks, most: number, dashes: string): Html {
  const width = Number(widthOfColumn(lane.columns));
  const narrow = Number((width * NARROW).toFixed(2));
  const paths = pathsOf(lane, most).map((path, kind) => {
    const name = MARK_ANSWERS[kind]!;
    return path === ""
      ? null
      : html`<path class="${name}"${name === "lost" && html` stroke-width="${narrow}"`} d="${path}"/>`;
  });
  return html`<svg viewBox="0 0 ${GRAPH.width} ${GRAPH.height}" preserveAspectRatio="none" aria-hidden="true" stroke-width="${width}" stroke-dasharray="${dashes}">${paths}<path class="filled" stroke-width="${narrow}" d=""/></svg>`;
}

/** How many of each answer: first those that were admitted, in large. */
export function countHtml(counts: readonly number[]): Html {
  const [admitted = 0, waited = 0] = counts;
  const others = MARK_ANSWERS.flatMap((name, kind) =>
    kind < 2 || counts[kind] === 0
      ? []
      : [html`, <span class="${name}">${formatInteger(counts[kind]!)} ${name}</span>`],
  );
  const late = waited === 0 ? "" : `, ${formatInteger(waited)} of them late`;
  return html`<b>${formatInteger(admitted + waited)}</b> admitted${late}${others}`;
}

const formatInteger = (value: number): string => value.toLocaleString("en-US");

const KEYS: Readonly<Record<(typeof MARK_ANSWERS)[number], string>> = {
  admitted: "admitted",
  delayed: "admitted late",
  refused: "refused",
  rejected: "rejected before any limit",
  lost: "lost: no response",
};

/** What the colours mean, of the answers that a run has. */
export const keysHtml = (kinds: readonly number[]): Html =>
  html`${kinds.map((kind) => {
    const name = MARK_ANSWERS[kind]!;
    return html`<span><i class="${name}"></i> ${KEYS[name]}</span> `;
  })}`;

/** Steps of an axis in seconds, from which the smallest is chosen that leaves room for its labels. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400];
const LABEL = 80; // pixels

export function ticksHtml(endUs: number, width: number): Html {
  const seconds = endUs / SECOND;
  const step = STEPS.find((each) => seconds / each <= Math.max(2, width / LABEL)) ?? seconds;
  const count = Math.floor(seconds / step + 1e-9);
  return html`${Array.from({ length: count + 1 }, (_, index) => {
    const share = (index * step) / seconds;
    // A label in the middle would hang over the end of the axis.
    const end = share > 0.97 && html` class="end"`;
    return html`<span${end} style="left:${Number((100 * share).toFixed(2))}%">${formatDuration(micros(index * step * SECOND))}</span>`;
  })}`;
}

/** An event on the timeline: a button that is dragged, and one that removes it. */
export const flagHtml = ({ words }: TimelineEvent, index: number): Html =>
  html`<span class="flag" data-flag="${index}"><button type="button" class="move">${words}</button><button type="button" class="remove" aria-label="Remove: ${words}">×</button></span>`;
