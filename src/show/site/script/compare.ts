// Two configurations on the playground: pasted, chosen or dropped, and compared in a thread of this browser.
import { announce } from "../../page/script/notices.ts";
import { replaceContents } from "../../page/script/insert.ts";
import type { PopulationName } from "../../../studies/try/populations.ts";
import type { ComparisonWords } from "../compare-configurations.ts";
import { comparisonHtml, SIDES, type Side } from "../compare-html.ts";
import type { ComparisonWork } from "./configuration-worker.ts";

/** Files are compared this long after the last key press. */
const PAUSE_MS = 250;
const PATIENCE_MS = 20_000;
/** In bytes: a file that has more than a page compares is not put into the page. */
const MOST_BYTES = 4_000_000;

/** `address` is the address of the worker's script, which is loaded on the first use. */
export function followComparison(details: HTMLDetailsElement, address: string): void {
  const form = details.querySelector("form")!;
  const result = details.querySelector("[data-part=result]")!;
  const field = (name: string): HTMLInputElement =>
    form.elements.namedItem(name) as HTMLInputElement;
  const names: Record<Side, string> = { before: "OLD", after: "NEW" };
  let worker: Worker | null = null;
  let pause = 0;
  let patience = 0;

  function end(words: ComparisonWords): void {
    clearTimeout(patience);
    replaceContents(result, comparisonHtml(words));
    announce("the configurations were compared");
  }

  function stop(): void {
    clearTimeout(pause);
    clearTimeout(patience);
    worker?.terminate();
    worker = null;
  }

  function compare(): void {
    stop();
    if (SIDES.some(({ side }) => field(side).value === "")) return;
    const started = new Worker(address, { type: "module" });
    worker = started;
    const fail = (sentence: string): void => {
      if (started !== worker) return;
      stop();
      end({ sentences: [sentence], tables: [] });
    };
    started.addEventListener("message", ({ data }: MessageEvent<ComparisonWords>) => {
      if (started === worker) end(data);
    });
    started.addEventListener("error", (event) => {
      event.preventDefault();
      fail("The files cannot be compared in this browser; use weir diff OLD NEW.");
    });
    patience = setTimeout(
      fail,
      PATIENCE_MS,
      "The files take too long to compare in a page; use weir diff OLD NEW.",
    );
    const fileOf = (side: Side): ComparisonWork[Side] => ({
      file: names[side],
      text: field(side).value,
    });
    started.postMessage(
      {
        before: fileOf("before"),
        after: fileOf("after"),
        clients: {
          clients: field("clients").valueAsNumber,
          perMinute: field("perMinute").valueAsNumber,
          population: field("population").value as PopulationName,
          send: field("send").value.trim(),
        },
      } satisfies ComparisonWork,
      [],
    );
  }

  async function take(side: Side, file: File | undefined): Promise<void> {
    if (file === undefined) return;
    if (file.size > MOST_BYTES) {
      stop();
      const sentence = `${file.name} is too large for a page; use weir diff OLD NEW.`;
      end({ sentences: [sentence], tables: [] });
      return;
    }
    names[side] = file.name;
    field(side).value = await file.text();
    compare();
  }

  form.addEventListener("input", ({ target }) => {
    if ((target as HTMLInputElement).type === "file") return;
    clearTimeout(pause);
    pause = setTimeout(compare, PAUSE_MS);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const { side } of SIDES) {
    const chosen = field(`${side}-file`);
    chosen.addEventListener("change", () => void take(side, chosen.files?.[0]));
    chosen.closest(".drop")!.addEventListener("drop", (event) => {
      const file = (event as DragEvent).dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      event.stopPropagation(); // anywhere else a dropped file is a log
      void take(side, file);
    });
  }
}
