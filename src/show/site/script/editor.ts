// The editor of scenarios: CodeMirror, with names from the JSON Schema and problems from Weir's own reader.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState, Transaction, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { aboutField, namesAt, type SchemaPart } from "../completions.ts";
import { positionAt } from "../position.ts";
import type { PlacedProblem } from "../run-scenario.ts";
import type { TextChange } from "../with-fault.ts";

export interface Editor {
  readonly text: () => string;
  /** Replaces the whole text, and clears the undo history. */
  readonly open: (text: string) => void;
  /** Changes the text as if the reader had typed it. */
  readonly change: (change: TextChange) => void;
  readonly showProblems: (problems: readonly PlacedProblem[]) => void;
  /** Lines count from 1. */
  readonly goTo: (line: number, column: number) => void;
}

/** Each colour is a CSS name, which a page defines for its light and its dark scheme. */
const COLOURS = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: "var(--name)" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
  {
    tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace],
    color: "var(--ink-soft)",
  },
]);

/** `loadSchema` is called when the first name is completed or explained. */
export function createEditor(
  place: HTMLElement,
  loadSchema: () => Promise<SchemaPart | null>,
  onChange: () => void,
): Editor {
  const extensions = [
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    yaml(),
    syntaxHighlighting(COLOURS),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": "Scenario, as YAML", tabindex: "0" }),
    autocompletion({ override: [(context) => complete(context, loadSchema)] }),
    hoverTooltip((view, at) => explain(view, at, loadSchema), { hideOnChange: true }),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
    EditorView.updateListener.of(({ docChanged, transactions }) => {
      if (
        docChanged &&
        transactions.some((each) => each.annotation(Transaction.userEvent) !== undefined)
      )
        onChange();
    }),
  ];
  const view = new EditorView({ parent: place, state: EditorState.create({ extensions }) });
  return {
    text: () => view.state.doc.toString(),
    open: (text) => view.setState(EditorState.create({ doc: text, extensions })),
    change: ({ from, to, insert }) =>
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
        scrollIntoView: true,
        userEvent: "input",
      }),
    showProblems: (problems) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map((problem) => diagnosticOf(problem, view.state.doc)),
        ),
      ),
    goTo: (line, column) => {
      view.dispatch({
        selection: { anchor: offsetOf(view.state.doc, line, column) },
        effects: EditorView.scrollIntoView(offsetOf(view.state.doc, line, column), { y: "center" }),
      });
      view.focus();
    },
  };
}

function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + column - 1, to);
}

/** The mark for a problem: from its position to the end of the word there. */
function diagnosticOf({ line, column, severity, sentence }: PlacedProblem, doc: Text): Diagnostic {
  const from = offsetOf(doc, line, column);
  const { to: end } = doc.lineAt(from);
  const word = /^[\w$.*-]+/.exec(doc.sliceString(from, end))?.[0] ?? "";
  return { from, to: Math.min(end, from + Math.max(1, word.length)), severity, message: sentence };
}

async function complete(
  context: CompletionContext,
  loadSchema: () => Promise<SchemaPart | null>,
): Promise<CompletionResult | null> {
  const { state, pos, explicit } = context;
  const position = positionAt(state.sliceDoc(0, pos));
  if (!/^[\w.$-]*$/.test(position.prefix) || (!explicit && position.prefix === "")) return null;
  const schema = await loadSchema();
  if (schema === null || context.aborted) return null;
  const names = namesAt(position, schema);
  if (names.length === 0) return null;
  return {
    from: pos - position.prefix.length,
    options: names.map(({ name, about }) => ({
      label: name,
      type: position.kind === "name" ? "property" : "enum",
      ...(about === "" ? {} : { info: about }),
      ...(position.kind === "name" ? { apply: `${name}: ` } : {}),
    })),
    validFor: /^[\w.-]*$/,
  };
}

async function explain(
  view: EditorView,
  at: number,
  loadSchema: () => Promise<SchemaPart | null>,
): Promise<Tooltip | null> {
  const { from, to, text } = view.state.doc.lineAt(at);
  const before = /[\w.-]*$/.exec(text.slice(0, at - from))?.[0].length ?? 0;
  const after = /^[\w.-]*/.exec(text.slice(at - from))?.[0].length ?? 0;
  const end = at + after;
  const name = view.state.sliceDoc(at - before, end);
  if (name === "" || !/^\s*:/.test(view.state.sliceDoc(end, to))) return null;
  const schema = await loadSchema();
  const { path } = positionAt(view.state.sliceDoc(0, at - before));
  const about = schema === null ? null : aboutField([...path, name], schema);
  if (about === null) return null;
  return {
    pos: at - before,
    end,
    above: true,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "about-field";
      dom.textContent = about;
      return { dom };
    },
  };
}
