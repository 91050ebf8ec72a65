// The lists of the playground: problems of the text, and digests of the histories.
import { html, type Html } from "../../html/html.ts";
import type { VariantDigest } from "../last-run.ts";
import type { PlacedProblem } from "../run-scenario.ts";

export const problemsHtml = (problems: readonly PlacedProblem[]): Html =>
  html`${problems.map(
    ({ line, column, severity, sentence }) =>
      html`<li class="${severity}"><button type="button" data-at="${line}:${column}">Line ${line}</button> ${sentence}</li>`,
  )}`;

export const digestsHtml = (digests: readonly VariantDigest[]): Html =>
  html`${digests.map(
    ({ variant, digest }) =>
      html`<li><code>${digest ?? "not run"}</code> ${variant === "" ? "the history" : variant}</li>`,
  )}`;
