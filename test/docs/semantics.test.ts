// docs/answer/semantics.md: its charts are what the code draws today, its commands print what it shows, and the scenarios
// that it names prove its requirements.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import { root } from "./desk.ts";
import { chartsOf, draw, proofsOf, readScenario } from "./pictures.ts";
import { renew, sessionsOf } from "./sessions.ts";
import { typist } from "./typist.ts";

const PAGE = "docs/answer/semantics.md";
const page = readFileSync(join(root, PAGE), "utf8");
const charts = chartsOf(page);
const typed = typist(PAGE);

test.each(charts.map((chart) => [chart.file, chart] as const))(
  "%s and its text are drawn from its run (npm run docs:figures)",
  async (file, chart) => {
    const { svg, alt } = await draw(chart);
    expect(readFileSync(join(root, file), "utf8")).toBe(svg);
    expect(chart.alt).toBe(alt);
  },
);

test("each chart of the folder is on the page once", () => {
  const files = readdirSync(join(root, "docs/figures")).filter((name) => name.endsWith(".svg"));
  expect(charts.map(({ file }) => file).toSorted()).toEqual(
    files.map((name) => `docs/figures/${name}`).toSorted(),
  );
});

test("each section but the first two has a chart and a proof", () => {
  const [, , ...sections] = page.split(/^###? /m);
  const without = sections.filter(
    (text) => chartsOf(text).length !== 1 || proofsOf(text).length < 1,
  );
  expect(without.map((text) => text.split("\n", 1)[0])).toEqual([]);
  expect(sections.length).toBe(charts.length);
});

test("every algorithm has a section with a chart of its own", () => {
  const [, algorithms = ""] = /## The ten algorithms\n([^]*?)\n## /.exec(page) ?? [];
  const drawn = chartsOf(algorithms).map(({ scenario, variant }) => {
    const found = readScenario(scenario).variants.find(({ name }) => name === variant);
    return found?.world.configuration?.options.algorithm;
  });
  expect(new Set(drawn)).toEqual(new Set(ALGORITHMS));
  expect(drawn.length).toBe(ALGORITHMS.length);
});

test.each(proofsOf(page))("%s proves %j", (id, requirements) => {
  const { proves } = readScenario(id);
  expect(proves).toEqual(expect.arrayContaining([...requirements]));
});

test.each(sessionsOf(page).map(({ command, shown }) => [command, shown] as const))(
  "the page shows what %s prints",
  async (command, shown) => {
    expect(shown).toEqual(renew(shown, (await typed(command)).split("\n")));
  },
);
