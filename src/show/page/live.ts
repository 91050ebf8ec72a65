// The state of repeated runs as the server sends it, and the page around their reports. The report is in a frame and
// has no connections; the surrounding page receives the events.
import { html, trustMarkup, type Html } from "../html/html.ts";

export interface LiveState {
  /** Identifies the process: another process counts its reports from the start again. */
  readonly server: string;
  /** Number of the displayed report; 0 if there is none yet. */
  readonly page: number;
  readonly isRunning: boolean;
  readonly progress: { readonly done: number; readonly of: number; readonly names: string } | null;
  /** Why the last run has no report, one line each. The displayed report is from an earlier run. */
  readonly faults: readonly string[];
}

/** Set in the environment of a run that reports its progress to its parent process. */
export const PROGRESS_SWITCH = "WEIR_TELLS";

/** Set for a run that is restarted repeatedly: the arguments of `weir`, as a JSON list. */
export const TYPED = "WEIR_TYPED";

/** The messages of a run to its parent process. */
export type LiveMessage =
  | {
      readonly kind: "progress";
      readonly done: number;
      readonly of: number;
      readonly names: string;
    }
  | { readonly kind: "faults"; readonly lines: readonly string[] }
  | { readonly kind: "drawn" }; // the page of the run has been rendered

export const LIVE_STYLE = `
:root { color-scheme: light dark; --page: #ffffff; --ink: #1c2430; --line: #d9dee5; --fail: #b3261e; --bar: #0b62a8; }
@media (prefers-color-scheme: dark) { :root { --page: #14181f; --ink: #e6eaf0; --line: #333c49; --fail: #ff8a80; --bar: #5aa9e0; } }
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; background: var(--page); color: var(--ink);
  font: 14px/1.4 system-ui, "Segoe UI", "Noto Sans", Arial, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: center; padding: .3rem 1rem; border-bottom: 1px solid var(--line); }
h1 { font-size: 1em; margin: 0; }
#status { flex: 1 1 12rem; min-width: 0; overflow-wrap: anywhere; }
progress { width: 10rem; accent-color: var(--bar); }
#problems { max-height: 40vh; overflow: auto; margin: 0; padding: .6rem 1rem; border-bottom: 2px solid var(--fail); color: var(--fail);
  white-space: pre-wrap; overflow-wrap: anywhere; font: .9em ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; }
iframe { flex: 1; width: 100%; border: 0; }
[hidden] { display: none; }
`;

export const livePage = (command: string, policy: Html, script: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Weir</title>
<style>${trustMarkup(LIVE_STYLE)}</style>
</head>
<body>
<header><h1><code>${command}</code></h1><span id="status" role="status">the first run begins</span><progress id="progress" hidden aria-label="scenarios run"></progress></header>
<pre id="problems" role="alert" hidden></pre>
<iframe id="report" title="the report of the last run" hidden></iframe>
<script type="module">${script}</script>
</body>
</html>
`;
