// Creates, lists and revokes tokens for users of the management APIs. The gateway may be running at the same time.
import { randomBytes } from "node:crypto";
import { commandLine } from "../kit/command-line.ts";
import { micros } from "../kit/units.ts";
import { NO_BUDGETS } from "../gateway/management/budgets.ts";
import { deleteRecord, createRecord } from "../gateway/management/changes.ts";
import {
  newSecret,
  newToken,
  tokenView,
  tokens as kind,
  type Token,
} from "../gateway/management/families/token.ts";
import { sentence } from "../gateway/management/validate-record.ts";
import { writeJson } from "../gateway/management/json.ts";
import type { Management } from "../gateway/management/management.ts";
import { Rejection } from "../gateway/management/rejection.ts";
import { Pieces, listShown } from "../gateway/management/pieces.ts";
import { DatabaseRejection } from "../gateway/management/records/database-failure.ts";
import type { Records } from "../gateway/management/records/records.ts";
import { schemaProblems } from "../gateway/management/schema-problems.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { legible, oneLine } from "../kit/reading/legible.ts";
import { wallClock } from "../gateway/http/wall-clock.node.ts";
import type { Action, Arguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { loadSettings } from "../gateway/serving/load.node.ts";
import { openSecrets, withRecords } from "./records-for-command.node.ts";
import type { Terminal } from "./terminal.ts";

export const tokens: Action = async (args, terminal, refuse) => {
  const { operands, values } = args;
  const [what, id] = operands;
  const isKnown = what === undefined || ((what === "add" || what === "revoke") && id !== undefined);
  if (!isKnown)
    return refuse(
      `"${operands.join(" ")}" is no action; use ${commandLine("tokens")}, with add ID or revoke ID to change them`,
    );
  const loaded = loadSettings(values, undefined, "never");
  return withRecords(loaded, terminal, async (records) => {
    if (what === undefined) return list(records, args, terminal);
    const secrets = await openSecrets(loaded.sound!.settings, records, terminal.err);
    if (isFailure(secrets)) {
      terminal.err(`weir tokens: ${secrets.message}`);
      return EXIT.usage;
    }
    const management: Management = {
      records,
      secrets,
      features: { catalogues: true, pageSize: 1 },
      nowUs: () => micros(wallClock()),
      newId: () => randomBytes(12).toString("hex"),
      configuration: () => {
        throw new Error("a token refers to nothing");
      },
      applyChanges: async () => {},
      budgets: NO_BUDGETS,
      report: terminal.err,
    };
    try {
      return await (what === "add"
        ? add(management, id!, args, terminal)
        : revoke(management, id!, terminal));
    } catch (error) {
      const isOfDatabase = error instanceof DatabaseRejection; // already reported by the records
      if (isOfDatabase || !(error instanceof Rejection)) throw error;
      const entry =
        error.status === 404
          ? `there is no token "${id}"; ${commandLine("tokens")} lists them`
          : error.problems.length === 0
            ? error.message
            : error.problems.map((problem) => nameFlag(sentence(problem))).join("; ");
      terminal.err(`weir tokens: ${entry}`);
      return EXIT.usage;
    }
  });
};

/** Replaces the field's name at the start of a problem by the flag that sets the field. */
const nameFlag = (problem: string): string =>
  problem.replace(/^(role|interface|organisation|expires): is /, "--$1 must be ");

const ACTOR = "weir tokens";

async function add(
  management: Management,
  id: string,
  { values, switches }: Arguments,
  { out, err }: Terminal,
): Promise<ExitCode> {
  const fields = Object.fromEntries(
    ["role", "interface", "organisation", "expires"].flatMap((name) =>
      values.has(name) ? [[name, values.get(name)!]] : [],
    ),
  );
  const read = newToken.safeParse({ id, ...fields });
  if (!read.success) throw new Rejection(400, "The token does not fit", schemaProblems(read.error));
  const secret = newSecret(management.secrets);
  const unique = management.secrets.hashOf(secret);
  const { stored } = await createRecord(management, kind, {
    body: read.data,
    actor: ACTOR,
    operation: "createToken",
    unique: unique,
  });
  const token = tokenView(stored);
  if (switches.has("json"))
    out(writeJson({ format: "weir-token/1", token: secret, data: token }, 2));
  else {
    err(`${lineOf(token)}; the token is shown once:`);
    out(secret);
  }
  return EXIT.passed;
}

async function revoke(management: Management, id: string, { out }: Terminal): Promise<ExitCode> {
  await deleteRecord(management, kind, {
    id,
    ifMatch: null,
    actor: ACTOR,
    operation: "revokeToken",
  });
  out(`${id} is revoked`);
  return EXIT.passed;
}

async function list(
  records: Records,
  { switches }: Arguments,
  { out }: Terminal,
): Promise<ExitCode> {
  for await (const line of linesOfList(records, switches.has("json"))) out(line);
  return EXIT.passed;
}

/** Yields the list in pieces, so that any number of tokens fits into memory. */
export async function* linesOfList(
  records: Pick<Records, "list" | "next">,
  isJson: boolean,
): AsyncGenerator<string> {
  const { shown } = await listShown(records, "tokens", null, tokenView);
  const pieces = shown instanceof Pieces ? shown.pieces : [shown];
  if (!isJson) {
    for await (const piece of pieces) yield* piece.map(lineOf);
    return;
  }
  yield `{\n  "format": "weir-tokens/1",\n  "tokens": [`;
  let last: string | null = null; // the previous entry, printed once it is known whether a comma follows
  for await (const piece of pieces)
    for (const token of piece) {
      if (last !== null) yield `${last},`;
      last = legible(writeJson(token, 2)).replaceAll(/^/gm, "    ");
    }
  if (last !== null) yield last;
  yield "  ]\n}";
}

const lineOf = ({ id, role, interface: at, organisation, expires, last_used }: Token): string =>
  oneLine(
    [
      id,
      role,
      at ?? "all interfaces",
      organisation === null ? "all organisations" : `organisation ${organisation}`,
      expires === null ? "no expiry" : `expires ${expires}`,
      last_used === null ? "never used" : `used ${last_used}`,
    ].join("  "),
  );
