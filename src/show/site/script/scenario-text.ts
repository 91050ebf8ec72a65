// The text of the scenario, of which the form and the editor are two views. The editor is loaded when a reader first
// wants to see it: it is larger than the rest of the page.
import type { SchemaPart } from "../completions.ts";
import type { PlacedProblem } from "../run-scenario.ts";
import { applyChange, type TextChange } from "../with-fault.ts";
import type { Editor } from "./editor.ts";

export interface ScenarioEditor extends Editor {
  /** Loads the editor if it is not there yet. */
  readonly load: () => Promise<void>;
}

/** `onChange` is called after each change by the reader, also those that `change` makes. */
export function createScenarioText(
  place: HTMLElement,
  loadSchema: () => Promise<SchemaPart | null>,
  onChange: () => void,
): ScenarioEditor {
  let text = "";
  let problems: readonly PlacedProblem[] = [];
  let editor: Editor | null = null;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    const { createEditor } = await import("./editor.ts");
    editor = createEditor(place, loadSchema, onChange);
    editor.open(text);
    editor.showProblems(problems);
  }

  const loadOnce = (): Promise<void> => (loading ??= load());
  return {
    text: () => editor?.text() ?? text,
    open: (opened) => {
      text = opened;
      editor?.open(opened);
    },
    change: (change: TextChange) => {
      if (editor !== null) editor.change(change);
      else {
        text = applyChange(text, change);
        onChange();
      }
    },
    showProblems: (shown) => {
      problems = shown;
      editor?.showProblems(shown);
    },
    goTo: (line, column) => void loadOnce().then(() => editor!.goTo(line, column)),
    load: loadOnce,
  };
}
