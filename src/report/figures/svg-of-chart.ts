// A chart of which there is only one, so that a template for it would not be worth its place.
import { compile, type TopLevelSpec } from "vega-lite";
import { svgOfSpec } from "./svg.ts";

export const renderChart = (chart: TopLevelSpec, title: string): Promise<string> =>
  svgOfSpec(compile(chart).spec, title);
