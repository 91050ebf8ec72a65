// The form of the playground: whatever a reader drags or chooses becomes a scenario immediately, and whatever the text
// becomes is shown by the form, if it has the fields for it.
import {
  FORM_CHOICES,
  FORM_NUMBERS,
  fieldsInUse,
  USUAL_STATE,
  type FormNames,
  type FormNumbers,
  type FormState,
} from "../form.ts";

export interface FormView {
  /** Null: the text is no position of the form. */
  readonly show: (state: FormState | null) => void;
}

/** `write` receives each new state. */
export function followForm(
  form: HTMLFormElement,
  notice: HTMLElement,
  write: (state: FormState) => void,
): FormView {
  const field = (name: string): HTMLInputElement | HTMLSelectElement =>
    form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
  let last: FormState = USUAL_STATE;

  function display(state: FormState): void {
    last = state;
    const used = fieldsInUse(state);
    for (const { name, unit } of FORM_NUMBERS) {
      const output = form.querySelector(`output[for="form-${name}"]`)!;
      output.textContent = `${state.numbers[name]} ${unit}`.trim();
      form.querySelector<HTMLElement>(`[data-field="${name}"]`)!.hidden = !used.has(name);
    }
  }

  form.addEventListener("input", () => {
    const numbers = Object.fromEntries(
      FORM_NUMBERS.map(({ name }) => [name, Number(field(name).value)]),
    ) as FormNumbers;
    const names = Object.fromEntries(
      FORM_CHOICES.map(({ name }) => [name, field(name).value]),
    ) as FormNames;
    display({ ...last, numbers, names });
    write(last);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  notice.querySelector("button")!.addEventListener("click", () => {
    show(last);
    field("first").focus();
    write(last);
  });

  function show(state: FormState | null): void {
    form.hidden = state === null;
    notice.hidden = state !== null;
    if (state === null) return;
    for (const [name, value] of Object.entries({ ...state.numbers, ...state.names }))
      field(name).value = String(value);
    display(state);
  }

  return { show };
}
