// The script of a report's page. It draws what is looked at, and shows what is asked for, from the report that is packed
// into the page; it asks nobody else for anything.
import type { Spec } from "vega";
import { parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { bound } from "../../report/figures/bound.ts";
import { drawableOf } from "../../report/figures/drawable.ts";
import type { Templates } from "../../report/figures/templates.ts";
import type { Packed } from "../../report/html/page.ts";
import { figureNamed, variantHtml } from "../../report/html/scenario.ts";
import { openRefusals } from "./refusals.ts";

const textOf = (id: string): string => document.getElementById(id)!.textContent;

async function unpacked(base64: string): Promise<Packed> {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as Packed;
}

const { run, figures } = await unpacked(textOf("packed"));
const templates = JSON.parse(textOf("templates")) as Templates;

function draw(place: HTMLElement): void {
  const name = place.dataset["figure"]!;
  const drawable = drawableOf((figures[name] ?? figureNamed(run!, name))!);
  const spec: Spec = bound(templates[drawable.kind], drawable, place.clientWidth);
  place.replaceChildren();
  new View(parse(spec, {}, { ast: true }), {
    expr: expressionInterpreter,
    renderer: "svg",
    container: place,
  }).run();
}

const looking = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      looking.unobserve(target);
      draw(target as HTMLElement);
    }
  },
  { rootMargin: "400px" },
);

function lookAt(part: ParentNode): void {
  for (const place of part.querySelectorAll(".drawing")) looking.observe(place);
}

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLSelectElement)) return;
  const scenario = Number(target.dataset["variants"]);
  const place = target.closest("section")!.querySelector(".variant")!;
  place.innerHTML = variantHtml(
    run!.scenarios[scenario]!,
    { scenario, variant: Number(target.value) },
    new Map(),
  );
  lookAt(place);
});

openRefusals(run, lookAt);
lookAt(document);
