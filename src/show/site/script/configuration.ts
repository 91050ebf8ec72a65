// A configuration on the first page: typed, chosen or dropped, and read in a thread of this browser.
import { replaceContents } from "../../page/script/insert.ts";
import { configurationWordsHtml, FIRST_CONFIGURATION } from "../home/own-html.ts";
import type { ConfigurationWords } from "../read-configuration.ts";
import type { ConfigurationWork } from "./configuration-worker.ts";

/** A text is read this long after the last key press. */
const PAUSE_MS = 250;
const PATIENCE_MS = 20_000;

/** `address` is the address of the worker's script, which is loaded on the first use. */
export function followConfiguration(place: HTMLElement, address: string): void {
  const form = place.querySelector("form")!;
  const result = place.querySelector("[data-part=result]")!;
  const text = form.elements.namedItem("text") as HTMLTextAreaElement;
  const chosen = form.elements.namedItem("file") as HTMLInputElement;
  let name = FIRST_CONFIGURATION.file;
  let worker: Worker | null = null;
  let pause = 0;
  let patience = 0;

  function end(words: ConfigurationWords): void {
    clearTimeout(patience);
    replaceContents(result, configurationWordsHtml(words));
  }

  const fail = (sentence: string): void => {
    worker?.terminate();
    worker = null;
    end({ sentences: [sentence], rows: [] });
  };

  function read(): void {
    clearTimeout(pause);
    clearTimeout(patience);
    // A text that is still being read is no longer wanted, but its worker has loaded: it answers in turn.
    worker ??= start();
    patience = setTimeout(fail, PATIENCE_MS, `${name} takes too long to read in a page.`);
    worker.postMessage({ file: name, text: text.value } satisfies ConfigurationWork, []);
  }

  function start(): Worker {
    const started = new Worker(address, { type: "module" });
    started.addEventListener("message", ({ data }: MessageEvent<ConfigurationWords>) => end(data));
    started.addEventListener("error", (event) => {
      event.preventDefault();
      fail(`${name} cannot be read in this browser.`);
    });
    return started;
  }

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    name = file.name;
    text.value = await file.text();
    read();
  }

  text.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(read, PAUSE_MS);
  });
  chosen.addEventListener("change", () => void take(chosen.files?.[0]));
  form.addEventListener("submit", (event) => event.preventDefault());
  place.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // anywhere else a dropped file is a log
    void take(file);
  });
}
