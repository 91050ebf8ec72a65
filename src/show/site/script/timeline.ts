// The timeline of a run: its requests up to a moment that the reader moves, a lane for each limiter, and the reason for
// each decision. All data is from the recorded history, so a moment always shows the same.
import { formatDuration, micros, MILLISECOND, SECOND } from "../../../kit/units.ts";
import type { ScenarioReport } from "../../../lab/report/model.ts";
import { html, type Html } from "../../html/html.ts";
import { many } from "../../html/parts.ts";
import { explainLine } from "../../html/refusals.ts";
import { replaceContents } from "../../page/script/insert.ts";
import type { RequestReason } from "../last-run.ts";
import { MARK_ANSWERS, type RequestMarks } from "../request-marks.ts";
import { countUntil, laneOfAll, lanesOfFlows } from "../timeline/lanes.ts";
import { keysHtml, ticksHtml } from "../timeline/timeline-html.ts";
import { createLaneView, type LaneWithMarks, type SelectedRequest } from "./lane-view.ts";
import type { RunQuestion } from "./worker.ts";

export interface Timeline {
  /** Draws a finished run, and calls `shown` afterwards. */
  readonly show: (run: TimelineRun, shown: () => void) => void;
  readonly showMarks: (variant: number, marks: RequestMarks | null) => void;
  readonly showReason: (row: number, reason: RequestReason | null) => void;
  /** Called when another run has started. */
  readonly fade: () => void;
  /** Where something is injected: at the moment, or in the middle if the moment is the end. */
  readonly atSeconds: () => number;
  /** The next run has an axis of its own. Without this, the axis never becomes shorter: what fails may end a run early. */
  readonly forgetAxis: () => void;
  /** The next run is shown until its end. */
  readonly forgetMoment: () => void;
}

interface TimelineRun {
  readonly report: ScenarioReport;
  readonly names: readonly string[]; // of the lanes
}

/** More variants than this are shown one at a time. */
const MOST_SIDE_BY_SIDE = 4;
const MOST_LANES = 8;
/** A pointer that moves less than this, in pixels, points at a request and does not move the moment. */
const LEAST_DRAG = 4;
/** Reasons are computed when a reader has stepped for this long. */
const PAUSE_MS = 120;

const AGREES = {
  yes: "The specification requires this response.",
  no: "The specification does not allow this response.",
  open: "The specification allows this response and the opposite.",
} as const;

const REFUSED = MARK_ANSWERS.indexOf("refused");
const POINT = html`Point at a request to read why it was admitted or refused.`;

/** `want` sends a question to the worker of the run; `axis` receives the end of the axis. */
export function createTimeline(
  place: HTMLElement,
  want: (question: RunQuestion) => void,
  axis: (endUs: number) => void,
): Timeline {
  const part = (name: string): HTMLElement =>
    place.querySelector<HTMLElement>(`[data-part="${name}"]`)!;
  const slider = part("moment") as HTMLInputElement;
  const speed = part("speed") as HTMLSelectElement;
  const choice = part("variant") as HTMLSelectElement;
  const apart = part("apart") as HTMLInputElement;
  const startButton = part("start") as HTMLButtonElement;
  const lanesPlace = part("lanes");
  const reasonPlace = part("reason");
  const view = createLaneView(lanesPlace);
  let run: TimelineRun | null = null;
  let wanted: readonly number[] = []; // variants
  let known = new Map<number, RequestMarks | null>();
  let whenShown = (): void => {};
  let shown = new Map<number, RequestMarks>(); // of the variants that have lanes
  let endUs: number = SECOND;
  let axisUs = 0; // the longest run of this scenario
  let momentUs = Number.POSITIVE_INFINITY; // infinite: the end, wherever it is
  let selected: SelectedRequest | null = null;
  let frame = 0;
  let explanationTimer = 0;

  const now = (): number => Math.min(momentUs, endUs);
  const atSeconds = (): number =>
    Number(((now() >= endUs ? endUs / 2 : now()) / SECOND).toFixed(endUs <= 3 * SECOND ? 3 : 1));

  // ---------------------------------------------------------------- the run

  function show(of: TimelineRun, after: () => void): void {
    pause();
    run = of;
    whenShown = after;
    const { variants, title } = of.report;
    const before = Number(choice.value);
    replaceContents(
      choice,
      html`${variants.map(({ name }, index) => html`<option value="${index}">${of.names[index] || name}</option>`)}`,
    );
    choice.value = String(before < variants.length ? before : 0);
    part("lane-choice").hidden = variants.length < 2;
    replaceContents(part("title"), html`${title}`);
    wantMarks();
  }

  function wantMarks(): void {
    const { length } = run!.report.variants;
    const isOne = length > MOST_SIDE_BY_SIDE || apart.checked;
    known = new Map();
    wanted = isOne ? [Number(choice.value)] : Array.from({ length }, (_, variant) => variant);
    for (const variant of wanted) want({ want: "marks", variant });
  }

  function showMarks(variant: number, marks: RequestMarks | null): void {
    if (run === null || !wanted.includes(variant)) return;
    known.set(variant, marks);
    if (known.size < wanted.length) return;
    shown = new Map([...known].flatMap(([each, of]) => (of === null ? [] : [[each, of] as const])));
    const all = [...shown.values()];
    axisUs = Math.max(axisUs, SECOND, ...all.map((of) => of.endUs));
    endUs = Math.ceil(axisUs / SECOND) * SECOND;
    const lanes: readonly LaneWithMarks[] = wanted.flatMap((each) => {
      const of = shown.get(each);
      if (of === undefined) return [];
      const split =
        wanted.length > 1
          ? [laneOfAll(run!.names[each] ?? "", each, of)]
          : lanesOfFlows(each, of).slice(0, MOST_LANES);
      return split.map((lane) => ({ ...lane, marks: of }));
    });
    view.load(lanes, endUs);
    choose(null);
    slider.max = String(endUs);
    slider.step = String(Math.max(1, Math.round(endUs / 1_000)));
    const hasFlows = all.some((of) => lanesOfFlows(0, of).length > 1);
    part("apart-choice").hidden = !hasFlows || run.report.variants.length < 2;
    showKeys(all);
    place.classList.remove("old");
    replaceContents(part("ticks"), ticksHtml(endUs, view.width()));
    axis(endUs);
    go(momentUs);
    whenShown();
  }

  function showKeys(all: readonly RequestMarks[]): void {
    const kinds = [...MARK_ANSWERS.keys()].filter((kind) =>
      all.some(({ answer }) => answer.includes(kind)),
    );
    const leftOut = Math.max(0, ...all.map((of) => of.leftOut));
    replaceContents(
      part("keys"),
      html`${keysHtml(kinds)}${leftOut > 0 && html`<span>${many(leftOut, "later request")} not shown</span>`}`,
    );
  }

  // ---------------------------------------------------------------- the moment

  /** A reader moves the moment: no request is looked at any more. */
  function seek(us: number): void {
    pause();
    if (selected !== null) choose(null);
    go(us);
  }

  /** Shows the requests until a time; from the end on, also the end of a longer run. */
  function go(us: number): void {
    momentUs = us >= endUs ? Number.POSITIVE_INFINITY : Math.max(0, us);
    slider.value = String(now());
    slider.setAttribute("aria-valuetext", at(now()));
    part("now").textContent = at(now());
    part("when").textContent = `${atSeconds()} s`;
    part("stage").style.setProperty("--at", `${(100 * now()) / endUs}%`);
    view.count(now());
  }

  function pause(): void {
    cancelAnimationFrame(frame);
    frame = 0;
    startButton.textContent = "Start";
  }

  function start(): void {
    if (shown.size === 0) return;
    seek(now() >= endUs ? 0 : now());
    startButton.textContent = "Pause";
    let lastMs: number | null = null;
    const step = (nowMs: number): void => {
      const seconds = Number(speed.value);
      const perMs = seconds === 0 ? SECOND / 1_000 : endUs / (seconds * 1_000);
      const next = now() + (lastMs === null ? 0 : (nowMs - lastMs) * perMs);
      lastMs = nowMs;
      go(next);
      if (next < endUs) frame = requestAnimationFrame(step);
      else pause();
    };
    frame = requestAnimationFrame(step);
  }

  // ---------------------------------------------------------------- one request

  function choose(request: SelectedRequest | null): void {
    clearTimeout(explanationTimer);
    selected = request;
    reasonPlace.replaceChildren();
    view.mark(request, []);
    replaceContents(part("request"), request === null ? POINT : requestHtml(request));
    if (request === null) return;
    const { lane, index } = request;
    pause();
    choice.value = String(lane.variant);
    go(lane.marks.atUs[index]!);
    explanationTimer = setTimeout(
      () => want({ want: "reason", variant: lane.variant, row: lane.marks.rows[index]! }),
      PAUSE_MS,
    );
  }

  function requestHtml({ lane: { marks, variant }, index }: SelectedRequest): Html {
    const { flows, flow, atUs, status, answer } = marks;
    const what = MARK_ANSWERS[answer[index]!]!;
    const by = run!.names[variant] ?? "";
    const code = status[index] === 0 ? "" : ` ${status[index]!}`;
    return html`${by !== "" && html`<b>${by}</b>: `}a request of <b>${flows[flow[index]!]!}</b> at ${at(atUs[index]!)}: <b class="${what}">${what}${code}</b>.`;
  }

  /** Steps to the nearest wanted request of the chosen variant; after the last comes the first. */
  function stepTo(by: 1 | -1, isWanted: (answer: number) => boolean = () => true): void {
    const variant = Number(choice.value);
    const marks = shown.get(variant);
    if (marks === undefined) return;
    const { length } = marks.atUs;
    const until = countUntil([...marks.atUs.keys()], marks.atUs, now());
    const from = selected?.lane.variant === variant ? selected.index : by === 1 ? until - 1 : until;
    for (let steps = 1; steps <= length; steps++) {
      const index = (from + by * steps + length * 2) % length;
      const lane = view.laneOf(variant, index);
      if (lane === undefined || !isWanted(marks.answer[index]!)) continue;
      choose({ lane, index });
      return;
    }
  }

  function followPointer(): void {
    let from: { readonly x: number; isMoving: boolean } | null = null;
    const timeAt = (x: number): number => {
      const { left, width } = lanesPlace.getBoundingClientRect();
      return ((x - left) / width) * endUs;
    };
    lanesPlace.addEventListener("pointerdown", (pointer) => {
      if (shown.size === 0 || pointer.button !== 0) return;
      from = { x: pointer.clientX, isMoving: false };
      lanesPlace.setPointerCapture(pointer.pointerId);
    });
    lanesPlace.addEventListener("pointermove", ({ clientX }) => {
      if (from === null) return;
      from.isMoving ||= Math.abs(clientX - from.x) > LEAST_DRAG;
      if (from.isMoving) seek(timeAt(clientX));
    });
    lanesPlace.addEventListener("pointerup", ({ clientX, clientY }) => {
      const wasClick = from !== null && !from.isMoving;
      from = null;
      if (!wasClick) return;
      const request = view.requestAt(clientX, clientY);
      if (request === null) seek(timeAt(clientX));
      else choose(request);
    });
    lanesPlace.addEventListener("pointercancel", () => (from = null));
  }

  slider.addEventListener("input", () => seek(Number(slider.value)));
  choice.addEventListener("change", () => {
    if (run !== null && wanted.length === 1) wantMarks();
  });
  apart.addEventListener("change", () => {
    if (run !== null) wantMarks();
  });
  startButton.addEventListener("click", () => (frame === 0 ? start() : pause()));
  part("back").addEventListener("click", () => stepTo(-1));
  part("next").addEventListener("click", () => stepTo(1));
  part("refusal").addEventListener("click", () => stepTo(1, (answer) => answer === REFUSED));
  followPointer();
  new ResizeObserver(() => {
    if (shown.size > 0 && view.resize())
      replaceContents(part("ticks"), ticksHtml(endUs, view.width()));
  }).observe(lanesPlace);

  return {
    show,
    showMarks,
    showReason(row, reason) {
      if (selected === null || run === null) return;
      const { lane, index } = selected;
      if (lane.marks.rows[index] !== row) return;
      view.mark(selected, reason?.filledBy ?? []);
      const variant = run.report.variants[lane.variant]!;
      replaceContents(
        reasonPlace,
        reason === null
          ? html`<p>This request is not explained in a page: its run is too long, or its world has errors.</p>`
          : html`<p>${reason.text} ${AGREES[reason.agrees]}</p>
${reason.filledBy.length > 0 && html`<p class="soft">A mark is in each request that filled the budget.</p>`}
<p>${explainLine(run.report, variant, reason.request ?? String(row))}</p>`,
      );
    },
    fade() {
      pause();
      clearTimeout(explanationTimer);
      place.classList.add("old");
    },
    atSeconds,
    forgetAxis() {
      axisUs = 0;
    },
    forgetMoment() {
      momentUs = Number.POSITIVE_INFINITY;
    },
  };
}

/** A time for reading, in whole milliseconds. */
const at = (us: number): string =>
  formatDuration(micros(Math.round(us / MILLISECOND) * MILLISECOND));
