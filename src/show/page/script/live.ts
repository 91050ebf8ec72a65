// The page around a sequence of reports: shows the progress, and opens the next report at the position of the reader.
import type { LiveState } from "../live.ts";
import { REMEMBERED } from "./scheme.ts";

const frame = document.querySelector("iframe")!;
const status = document.getElementById("status")!;
const problems = document.getElementById("problems")!;
const progress = document.querySelector("progress")!;
let shown = 0;
let server: string | null = null;

/** Marks history entries of the report: if a reader goes back to such an entry, the browser moves the report too. */
const OF_REPORT = "of the report";

function show(page: number): void {
  const isFirst = shown === 0;
  shown = page;
  frame.hidden = false;
  const scrolled = isFirst ? null : frame.contentWindow!.scrollY;
  frame.addEventListener("load", () => begin(scrolled), { once: true });
  // All reports have the same address, so that browser history from an earlier report leads into this one.
  if (isFirst) frame.src = `/report${location.hash}`;
  else frame.contentWindow!.location.reload();
}

function begin(scrolled: number | null): void {
  const view = frame.contentWindow!;
  view.addEventListener("hashchange", follow);
  view.addEventListener(REMEMBERED, follow);
  follow();
  if (scrolled !== null) scrollTo(scrolled);
}

/** Copies the report's address to this page, where it can be copied, saved and returned to. */
function follow(): void {
  history.replaceState(OF_REPORT, "", `/${frame.contentWindow!.location.hash}`);
}

addEventListener("hashchange", () => {
  const isTyped = history.state !== OF_REPORT;
  if (isTyped && shown > 0) frame.contentWindow!.location.hash = location.hash;
});

/** Scrolls the report after its script has started, because that script goes to the position in the address. */
function scrollTo(place: number): void {
  const { contentDocument: report, contentWindow: view } = frame;
  const hasBegun = (): boolean => report!.getElementById("unfinished") === null;
  const begun = new MutationObserver(go);
  function go(): void {
    if (!hasBegun()) return;
    begun.disconnect();
    view!.scrollTo(0, place);
  }
  begun.observe(report!, { childList: true, subtree: true });
  go();
}

function sentence({ isRunning, progress: at, page, faults: lines }: LiveState): string {
  if (isRunning) {
    const far = at === null ? "running" : `${at.done} of ${at.of} scenarios: ${at.names}`;
    return page === 0 ? far : `${far}; the report below is of the previous run`;
  }
  if (lines.length === 0) return "done";
  return page === 0
    ? "no scenario ran"
    : "no scenario ran; the report below is of the previous run";
}

function update(state: LiveState): void {
  // Another command uses the port now, and this page does not belong to it.
  if (server !== null && server !== state.server) {
    location.reload();
    return;
  }
  server = state.server;
  status.textContent = sentence(state);
  document.title = `${state.isRunning ? "… " : ""}Weir`;
  problems.hidden = state.faults.length === 0;
  problems.textContent = state.faults.join("\n");
  progress.hidden = !state.isRunning || state.progress === null;
  if (state.progress !== null) {
    progress.max = Math.max(1, state.progress.of);
    progress.value = state.progress.done;
  }
  if (state.page !== shown && state.page > 0) show(state.page);
}

const events = new EventSource("/events");
events.addEventListener("message", ({ data }: MessageEvent<string>) =>
  update(JSON.parse(data) as LiveState),
);
events.addEventListener("error", () => {
  status.textContent = "the command has ended or does not respond: this page is no longer updated";
});
