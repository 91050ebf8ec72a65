// `--html`: the result as one page that needs nothing else.
import { chartsOf } from "../pareto/chart.ts";
import type { ParetoResult } from "../pareto/result.ts";
import { legendOf, originText, tableText } from "../pareto/table.ts";
import { spec } from "../report/figures/spec.ts";
import { escaped } from "../report/html/escaped.ts";
import { STYLE } from "../report/html/style.ts";
import { drawn } from "../report/figures/svg-of-chart.ts";

export async function paretoPage(result: ParetoResult): Promise<string> {
  const figures: string[] = [];
  for (const { title, spec: parts } of chartsOf(result))
    figures.push(
      `<figure><figcaption>${escaped(title)}</figcaption>${await drawn(spec(parts), title)}</figure>`,
    );
  const table = tableText(result, (text) => text).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Weir: accuracy against cost</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Accuracy against cost</h1>
<p>${escaped(originText(result))}.</p>
<section>${figures.join("\n")}</section>
<section><div class="scroll"><pre>${escaped(table)}</pre></div><p>${escaped(legendOf(result))}.</p></section>
</body>
</html>
`;
}
