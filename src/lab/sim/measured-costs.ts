// What `npm run costs` measures on a Redis, and writes as numbers. test/redis/costs.test.ts compares them with another one.
import measured from "./measured-costs.json" with { type: "json" };

/** How often Redis runs each command, by its name. */
export type CommandCounts = Readonly<Record<string, number>>;

/** The commands that one level adds to a script, by the result of the request. */
export interface LevelCommands {
  readonly admitted: CommandCounts;
  readonly refused: CommandCounts; // by this level
  readonly evaluated: CommandCounts; // another level refuses, or it is not written (LIM-C9)
  readonly dryRun: CommandCounts; // `evaluate`, with budget left
  readonly dryRunFull: CommandCounts; // `evaluate`, with nothing left
  readonly givenBack: CommandCounts;
  readonly reset: CommandCounts;
}

export interface FormCosts {
  readonly commands: LevelCommands;
  readonly background: CommandCounts | null; // the background write of a sentinel
  readonly step: CommandCounts | null; // one step of A alone
  readonly recordBytes: number; // its few numbers; 0: there is no such record
  readonly logBytes: readonly (readonly [stamps: number, bytes: number])[]; // empty: there is no log
}

export interface MeasuredCosts<Form extends string = string> {
  readonly redis: string; // version
  readonly allocator: string;
  readonly scripts: string; // SHA-1 of all that Weir sends
  readonly pipeline: CommandCounts; // a log as single commands (ALG-C6)
  readonly transaction: CommandCounts; // the same between MULTI and EXEC (ALG-C7)
  readonly forms: Readonly<Record<Form, FormCosts>>; // by `formName`
}

export const MEASURED = measured as unknown as MeasuredCosts<keyof typeof measured.forms>;
