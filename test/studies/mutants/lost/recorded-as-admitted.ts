import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { record } from "#src/lab/sim/recorder.ts";

export const mutant: Mutant<typeof record> = {
  about: "a request without a response is recorded as an admitted one, with 200",
  breaks: ["LIM-C18"],
  replaces: "lab/sim/recorder.ts#record",
  by: (right, recorder, sent, decided, answeredUs, status, values) => {
    const { lost: _lost, ...answered } = decided;
    return right(recorder, sent, answered, answeredUs, status === 0 ? 200 : status, values);
  },
};
