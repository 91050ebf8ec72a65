// The numbers that `npm run costs` measures on a Redis. test/redis/costs.test.ts compares them with another Redis.
import measured from "./measured-costs.json" with { type: "json" };

/** How often Redis runs each command, by its name. */
export type CommandCounts = Readonly<Record<string, number>>;

/** The commands that one level adds to a script, by the result of the request. */
export interface LevelCommands {
  readonly admitted: CommandCounts;
  readonly refused: CommandCounts; // this level refuses
  readonly evaluated: CommandCounts; // another level refuses, or the level is not written (LIM-C9)
  readonly dryRun: CommandCounts; // `evaluate` with budget left
  readonly dryRunFull: CommandCounts; // `evaluate` without budget left
  readonly givenBack: CommandCounts;
  readonly reset: CommandCounts;
}

export interface FormCosts {
  readonly commands: LevelCommands;
  readonly background: CommandCounts | null; // the background write of a sentinel
  readonly step: CommandCounts | null; // of one step of the allowance, without the decision's own
  readonly recordBytes: number; // fixed size of a record; 0 if the form has none
  readonly logBytes: readonly (readonly [stamps: number, bytes: number])[]; // empty if the form has no log
}

export interface MeasuredCosts<Form extends string = string> {
  readonly redis: string; // version of Redis
  readonly allocator: string;
  readonly scripts: string; // SHA-1 of all scripts that Weir sends
  readonly pipeline: CommandCounts; // commands of a log in a pipeline (ALG-C6)
  readonly transaction: CommandCounts; // the same commands between MULTI and EXEC (ALG-C7)
  readonly forms: Readonly<Record<Form, FormCosts>>; // by `formName`
}

export const MEASURED = measured as unknown as MeasuredCosts<keyof typeof measured.forms>;
