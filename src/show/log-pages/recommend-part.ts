// The result of weir recommend as part of a report page.
import type { CurveFigure, RowsFigure } from "../../lab/report/measured-figures.ts";
import type { MeasuredPart, MeasuredSection } from "../../lab/report/measured.ts";
import { shortDuration } from "../../studies/replay/candidates.ts";
import { percent, thousands } from "../../kit/reading/legible.ts";
import { micros } from "../../kit/units.ts";
import type {
  RecommendationDocument,
  RecommendedCandidate,
} from "../../studies/recommend/result.ts";
import { atAnswer, listAnswers, nameOf } from "../../studies/recommend/answered.ts";
import {
  badColumns,
  burstText,
  candidateColumns,
  dependenceColumns,
  dependenceText,
  edgeColumns,
  intervalText,
  omissionText,
  LEGEND,
  noneText,
  placementText,
  pointsOf,
  sizeText,
  targetText,
} from "../../studies/recommend/text.ts";
import { outlierTables } from "../../studies/recommend/outlier-tables.ts";
import type { AnswerCharts, RecommendCharts } from "./recommend-charts.ts";
import { portableCommand } from "../../kit/command-line.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import { leadWithAnswer } from "../answers/answer.ts";
import { peaksSection } from "./replay-part.ts";
import { doubtsOf, lineOf, logFacts, sentencesOf, tableOf } from "./words.ts";

export function recommendPart(
  document: RecommendationDocument,
  charts: RecommendCharts,
  problems: readonly string[],
  argv: readonly string[],
): MeasuredPart {
  const { answer, isInterrupted, badRequests, logs, files } = document;
  const answers = listAnswers(document);
  const part: MeasuredPart = {
    title: "A limit for the requests of a log",
    headline: "",
    word: isInterrupted ? "partial" : null,
    doubts: doubtsOf(problems),
    summary: [
      `${lineOf(sizeText(document))}${badRequests === 0 ? "" : `; ${thousands(badRequests)} of them are labelled as bad, and all shares are of the others`}.`,
      ...sentencesOf(omissionText(document)),
    ],
    sections: [
      candidateSection(document),
      ...answers.map((chosen, at) => chosenSection(chosen, charts.answers[at]!)),
      curveSection(document),
      ...answers.map((chosen) => (badRequests === 0 ? null : badSection(chosen, document))),
      peaksSection(
        charts.peaks,
        badRequests === 0 ? [] : ["All requests are counted, those that are labelled as bad too."],
      ),
    ].flatMap((section) => section ?? []),
    facts: [
      ...logFacts(logs, argv),
      ...LEGEND.map((line) => line.split(": ", 2) as [string, string]),
      ...files.map(
        ({ file, isWritten, about }) =>
          [lineOf(file), lineOf(isWritten ? about : `not written: ${about}`)] as const,
      ),
    ],
  };
  return leadWithAnswer(part, answer.map(withCommand(argv)));
}

/** The next command of an answer as it can be typed by readers of the page, who have not started this one. */
const withCommand =
  (argv: readonly string[]) =>
  (sentence: AnswerSentence): AnswerSentence => {
    const isOwn = (word: string, at: number): boolean =>
      /^--(html|json)\b/.test(word) || argv[at - 1] === "--html";
    const command = portableCommand(argv.filter((word, at) => !isOwn(word, at)));
    return { ...sentence, text: sentence.text.replace(/^The same command/, () => command) };
  };

function candidateSection(document: RecommendationDocument): MeasuredSection {
  const { candidates } = document;
  const windows = [...new Set(candidates.map(({ perUs }) => perUs))];
  const dependence = dependenceColumns(document);
  return {
    title: "The smallest rate of each candidate",
    notes: sentencesOf([
      targetText(document),
      ...noneText(document),
      ...placementText(document),
      ...burstText(document),
      ...(dependence === null ? [] : [`second table: ${dependenceText(document)}`]),
    ]),
    figures: windows.flatMap((perUs) => ratesFigure(perUs, document) ?? []),
    tables: [
      ...[candidateColumns(document), dependence ?? []]
        .filter((columns) => columns.length > 0)
        .map((columns) => tableOf(columns, 2)),
      ...outlierTables(document).map(({ title, columns, named }) =>
        tableOf(columns, named, sentencesOf([title])[0]),
      ),
    ],
  };
}

/** The chart of the smallest rates for a window; null if no candidate of the window meets the target. */
function ratesFigure(perUs: number, document: RecommendationDocument): RowsFigure | null {
  const { candidates, resamples } = document;
  const advice = document.advice.find((each) => each.perUs === perUs);
  const withoutOutliers = advice === undefined || advice.outliers === null ? null : advice.rate;
  const found = candidates.filter((each) => each.perUs === perUs && each.rate !== null);
  const rates = found.flatMap(({ rate, interval, placements }) =>
    [
      rate,
      withoutOutliers,
      interval?.low,
      interval?.high,
      ...placements.map((placed) => placed.rate),
    ].flatMap((each) => each ?? []),
  );
  if (found.length === 0) return null;
  const isPlaced = found.some(
    ({ placements }) => new Set(placements.map((each) => each.rate)).size > 1,
  );
  const [from, to] = [Math.max(0.5, 0.8 * Math.min(...rates)), 1.25 * Math.max(...rates)];
  const per = shortDuration(micros(perUs));
  return {
    kind: "rows",
    title: `Smallest rates per ${per}, and their range in 95 % of ${thousands(resamples)} random draws of the clients${isPlaced ? "; circles: for other times of requests within their seconds" : ""}`,
    unit: `requests per ${per}`,
    scale: "log",
    from,
    to,
    band: null,
    references: [],
    rows: found.map((candidate) => {
      const { rate, interval, placements } = candidate;
      const isChosen = advice !== undefined && candidates[advice.candidate] === candidate;
      const lowered = isChosen ? withoutOutliers : null;
      return {
        what: `${nameOf(candidate)}${isChosen ? ", recommended" : ""}`,
        isControl: false,
        value: [
          lowered === null
            ? thousands(rate!)
            : `${thousands(lowered)}; with all ${thousands(rate!)}`,
          ...(interval === null ? [] : [`draws ${intervalText(interval)}`]),
          ...(placements.some((placed) => placed.rate === null) ? ["none for some times"] : []),
        ].join(", "),
        tone: "control",
        marks: [
          ...(interval === null || interval.low === null
            ? []
            : [
                {
                  shape: "rule" as const,
                  from: interval.low,
                  to: interval.high ?? to,
                  tone: "own" as const,
                  tip: `95 % of the draws need ${intervalText(interval)}`,
                },
              ]),
          ...placements.flatMap((placed) =>
            !isPlaced || placed.rate === null
              ? []
              : [
                  {
                    shape: "dot" as const,
                    from: placed.rate,
                    to: placed.rate,
                    tone: "control" as const,
                    tip: `${thousands(placed.rate)} if requests of one second are placed ${placed.placement}`,
                  },
                ],
          ),
          {
            shape: "tick",
            from: rate!,
            to: rate!,
            tone: isChosen && lowered === null ? "good" : "own",
            tip: `the smallest rate is ${thousands(rate!)}`,
          },
          ...(lowered === null
            ? []
            : [
                {
                  shape: "tick" as const,
                  from: lowered,
                  to: lowered,
                  tone: "good" as const,
                  tip: `the smallest rate without outliers is ${thousands(lowered)}`,
                },
              ]),
        ],
      };
    }),
  };
}

const chosenSection = (
  chosen: RecommendedCandidate,
  { overTime, edge }: AnswerCharts,
): MeasuredSection => ({
  title: `${chosen.limit} by ${nameOf(chosen)}${"without" in chosen ? ", outliers included" : ""}`,
  notes: [
    "The clients nearest to the limit are those that it refuses least, and those that a lower limit would refuse next.",
  ],
  figures: [overTime, edge].flatMap((figure) => figure ?? []),
  tables: [tableOf(edgeColumns(chosen), 1, "Clients at the edge as a table")],
});

function curveSection(document: RecommendationDocument): MeasuredSection {
  const { candidates } = document;
  const drawn = candidates.filter(({ curve }) => curve.length > 0);
  return {
    title: "Refused requests by rate",
    notes: [
      "The knee is where the curve is furthest below the straight line between its ends. Band: 95 % of the random draws of clients. Charts of one window have one scale.",
    ],
    figures: drawn.map((candidate) =>
      curveFigure(atAnswer(candidate, document) ?? candidate, document),
    ),
    tables: [],
  };
}

function curveFigure(
  candidate: RecommendedCandidate,
  { requests, candidates }: RecommendationDocument,
): CurveFigure {
  const { perUs, rate, knee, interval, limit } = candidate;
  const per = shortDuration(micros(perUs));
  const points = pointsOf(candidate);
  const alike = candidates.filter((each) => each.perUs === perUs);
  const most = alike.reduce(
    (top, each) => Math.max(top, each.rate ?? 1, each.curve.at(-1)?.rate ?? 1),
    2,
  );
  const refused = alike.flatMap(({ curve }) => curve.map((point) => point.refused));
  return {
    kind: "curve",
    title: `${rate === null ? `no rate per ${per}` : limit} ${nameOf(candidate)}: ${thousands(candidate.refused)} refused, ${percent(candidate.refusedShare)}`,
    across: `requests per ${per}`,
    up: "refused, %",
    isLog: true,
    isSmall: true,
    from: 1,
    to: 1.1 * most,
    top: Math.min(100, Math.max(0.01, (105 * Math.max(...refused)) / requests)),
    points: points.map((point) => ({
      x: point.rate,
      y: (100 * point.refused) / requests,
      tip: `${thousands(point.rate)} per ${per}: ${thousands(point.refused)} requests refused (${percent(point.refused / requests)}), of ${thousands(point.refusedClients)} clients`,
      isMain: point.rate === rate,
    })),
    band:
      interval === null || interval.low === null
        ? null
        : {
            from: interval.low,
            to: interval.high ?? 1.1 * most,
            what: `95 % of draws: ${intervalText(interval)}`,
          },
    references: [
      ...(rate === null ? [] : [{ at: rate, what: `rate ${thousands(rate)}`, isMain: true }]),
      ...(knee === null
        ? []
        : [{ at: knee.rate, what: `knee ${thousands(knee.rate)}`, isMain: false }]),
    ],
  };
}

/** How many bad requests are refused at each rate, and how many other requests are refused with them. */
function badSection(
  chosen: RecommendedCandidate,
  document: RecommendationDocument,
): MeasuredSection {
  const { requests, badRequests } = document;
  const points = pointsOf(chosen);
  const per = shortDuration(micros(chosen.perUs));
  const shareOf = ({ refused }: (typeof points)[number]): number => (100 * refused) / requests;
  return {
    title: "Bad requests refused, and what it costs the others",
    notes: [`Each point is a rate of ${nameOf(chosen)} per ${per}; the large one is recommended.`],
    figures: [
      {
        kind: "curve",
        title: "Bad requests refused against other requests refused",
        across: "other requests refused, %",
        up: "bad requests refused, %",
        isLog: false,
        isSmall: false,
        from: 0,
        to: Math.max(1, ...points.map(shareOf)),
        top: 100,
        points: points.map((point) => ({
          x: shareOf(point),
          y: (100 * point.badRefused) / badRequests,
          tip: `${thousands(point.rate)} per ${per}: ${thousands(point.badRefused)} bad requests (${percent(point.badRefused / badRequests)}) of ${thousands(point.badRefusedClients)} clients and ${thousands(point.refused)} others (${percent(point.refused / requests)}) of ${thousands(point.refusedClients)} are refused`,
          isMain: point.rate === chosen.rate,
        })),
        band: null,
        references: [],
      },
    ],
    tables: [tableOf(badColumns(chosen, document), 1, "The curve as a table")],
  };
}
