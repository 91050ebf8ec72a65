// Shows requests one by one: the history of a run up to a moment that the reader moves, and the reason for each
// decision. All data is from the recorded history, so a moment always shows the same.
import { formatDuration, micros, SECOND } from "../../../kit/units.ts";
import { html, type Html } from "../../html/html.ts";
import { many } from "../../html/parts.ts";
import { explainLine } from "../../html/refusals.ts";
import type { ScenarioReport } from "../../../lab/report/model.ts";
import { replaceContents } from "../../page/script/insert.ts";
import type { RequestReason } from "../last-run.ts";
import { MARK_ANSWERS, type RequestMarks } from "../request-marks.ts";
import { marksChart } from "./marks-chart.ts";
import type { RunQuestion } from "./worker.ts";

export interface Moments {
  /** Called when the charts of a run are drawn. */
  readonly show: (report: ScenarioReport) => void;
  /** Called when another run has started. */
  readonly clear: () => void;
  readonly showMarks: (variant: number, marks: RequestMarks | null) => void;
  readonly showReason: (row: number, reason: RequestReason | null) => void;
}

const AGREES = {
  yes: "The specification requires this response.",
  no: "The specification does not allow this response.",
  open: "The specification allows this response and the opposite.",
} as const;

const REFUSED = MARK_ANSWERS.indexOf("refused");

/** `want` sends a question to the worker of the run. */
export function createMoments(
  details: HTMLDetailsElement,
  want: (question: RunQuestion) => void,
): Moments {
  const part = (name: string): HTMLElement =>
    details.querySelector<HTMLElement>(`[data-part="${name}"]`)!;
  const slider = part("moment") as HTMLInputElement;
  const speed = part("speed") as HTMLSelectElement;
  const choice = part("variant") as HTMLSelectElement;
  const startButton = part("start") as HTMLButtonElement;
  const why = part("why") as HTMLButtonElement;
  const reasonPlace = part("reason");
  const chart = marksChart(part("marks"), (index) => {
    pause();
    go(marks!.atUs[index]!, index);
    wantReason();
  });
  let report: ScenarioReport | null = null;
  let marks: RequestMarks | null = null;
  let sums = new Uint32Array(0); // by request and result: how many requests up to it have that result
  let momentUs = 0;
  let current = -1; // the last request up to the moment; -1 if none
  let frame = 0;

  const variant = (): number => Math.max(0, Number(choice.value));

  /** Index of the first request after a time. */
  function after(us: number): number {
    let [low, high] = [0, marks!.atUs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (marks!.atUs[middle]! <= us) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function go(us: number, index = after(us) - 1): void {
    if (marks === null) return;
    momentUs = us;
    if (current !== index) reasonPlace.replaceChildren();
    current = index;
    slider.value = String(us);
    slider.setAttribute("aria-valuetext", at(us));
    part("now").textContent = at(us);
    replaceContents(part("counts"), countsHtml(index + 1));
    replaceContents(part("request"), index < 0 ? html`Nothing was sent yet.` : requestHtml(index));
    why.disabled = index < 0;
    chart.show(us, index);
  }

  const at = (us: number): string => formatDuration(micros(Math.round(us)));

  function countsHtml(count: number): Html {
    const counts = MARK_ANSWERS.flatMap((name, answer) => {
      const sum = sums[count * MARK_ANSWERS.length + answer]!;
      return sum === 0 ? [] : [`${sum.toLocaleString("en-US")} ${name}`];
    });
    const rest = marks!.leftOut === 0 ? "" : `; ${many(marks!.leftOut, "later request")} not shown`;
    return html`${many(count, "request")} until ${at(momentUs)}${counts.length > 0 ? `: ${counts.join(", ")}` : ""}${rest}.`;
  }

  function requestHtml(index: number): Html {
    const { flows, flow, atUs, status, answer } = marks!;
    const what = MARK_ANSWERS[answer[index]!]!;
    return html`The last one is of <b>${flows[flow[index]!]!}</b> at ${at(atUs[index]!)}: <b>${what}${status[index] === 0 ? "" : ` ${status[index]!}`}</b>.`;
  }

  function wantReason(): void {
    if (marks === null || current < 0) return;
    replaceContents(reasonPlace, html`<p>The reason is computed.</p>`);
    want({ want: "reason", variant: variant(), row: marks.rows[current]! });
  }

  function pause(): void {
    cancelAnimationFrame(frame);
    frame = 0;
    startButton.textContent = "Start";
  }

  function start(): void {
    if (marks === null) return;
    if (momentUs >= marks.endUs) go(0);
    startButton.textContent = "Pause";
    let last: number | null = null;
    const step = (now: number): void => {
      const { endUs } = marks!;
      const seconds = Number(speed.value);
      const perMs = seconds === 0 ? SECOND / 1_000 : endUs / (seconds * 1_000);
      const next = momentUs + (last === null ? 0 : (now - last) * perMs);
      last = now;
      go(Math.min(next, endUs));
      if (next < endUs) frame = requestAnimationFrame(step);
      else pause();
    };
    frame = requestAnimationFrame(step);
  }

  /** Steps to the nearest wanted request in this direction. */
  function stepTo(by: 1 | -1, isWanted: (index: number) => boolean = () => true): void {
    if (marks === null) return;
    pause();
    let index = current + by;
    while (index >= 0 && index < marks.atUs.length && !isWanted(index)) index += by;
    if (index >= 0 && index < marks.atUs.length) go(marks.atUs[index]!, index);
    else if (index < 0) go(0, -1);
  }

  const load = (): void => {
    if (details.open && report !== null && marks === null)
      want({ want: "marks", variant: variant() });
  };

  function clear(): void {
    pause();
    marks = null;
    report = null;
    reasonPlace.replaceChildren();
    details.classList.add("old");
  }

  details.addEventListener("toggle", load);
  slider.addEventListener("input", () => {
    pause();
    go(Number(slider.value));
  });
  choice.addEventListener("change", () => {
    pause();
    marks = null;
    load();
  });
  startButton.addEventListener("click", () => (frame === 0 ? start() : pause()));
  part("back").addEventListener("click", () => stepTo(-1));
  part("next").addEventListener("click", () => stepTo(1));
  part("refusal").addEventListener("click", () =>
    stepTo(1, (index) => marks!.answer[index] === REFUSED),
  );
  why.addEventListener("click", wantReason);

  return {
    show(shown) {
      clear();
      report = shown;
      const before = choice.value;
      replaceContents(
        choice,
        html`${shown.variants.map(({ name }, index) => html`<option value="${index}">${name === "" ? "the only one" : name}</option>`)}`,
      );
      if (Number(before) < shown.variants.length) choice.value = before === "" ? "0" : before;
      choice.closest<HTMLElement>(".row")!.hidden = shown.variants.length < 2;
      load();
    },
    clear,
    showMarks(of, shown) {
      if (of !== variant() || shown === null || report === null) return;
      marks = shown;
      const { length } = shown.answer;
      const width = MARK_ANSWERS.length;
      sums = new Uint32Array((length + 1) * width);
      for (let index = 0; index < length; index++) {
        sums.copyWithin((index + 1) * width, index * width, (index + 1) * width);
        sums[(index + 1) * width + shown.answer[index]!]! += 1;
      }
      slider.max = String(shown.endUs);
      slider.step = String(Math.max(1, Math.round(shown.endUs / 1_000)));
      details.classList.remove("old");
      chart.load(shown);
      current = -1;
      go(shown.endUs);
    },
    showReason(row, reason) {
      if (marks === null || marks.rows[current] !== row || report === null) return;
      chart.ring(reason?.filledBy ?? []);
      replaceContents(
        reasonPlace,
        reason === null
          ? html`<p>This request is not explained in a page: its run is too long, or its world has errors.</p>`
          : html`<p>${reason.text} ${AGREES[reason.agrees]}</p>
${reason.filledBy.length > 0 && html`<p class="soft">A ring marks what filled the budget.</p>`}
<p>${explainLine(report, report.variants[variant()]!, reason.request ?? String(row))}</p>`,
      );
    },
  };
}
