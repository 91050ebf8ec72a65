// Actions of Envoy's rate limits: the descriptors that a request has.
import { formatAddress, networkOf, parseAddress } from "../../../limiter/core/address.ts";
import type { RequestFacts } from "../reading.ts";
import { parametersOf } from "../request-parts.ts";
import { childrenOf, textIn, type YamlNode } from "../yaml-tree.ts";
import {
  fieldOf,
  headerIn,
  headerTest,
  queryTest,
  readField,
  type EnvoyContext,
} from "./read-matchers.ts";

/** An entry of a descriptor. */
export interface EnvoyEntry {
  readonly key: string;
  readonly value: string;
}

/** The entry of a request. `skip`: the descriptor has no such entry; null: there is no descriptor. */
type EntryOf = (request: RequestFacts, cluster: string) => EnvoyEntry | "skip" | null;

export interface DescriptorOf {
  /** The descriptor of a request; null: an action has no value for it. */
  readonly of: (request: RequestFacts, cluster: string) => readonly EnvoyEntry[] | null;
  readonly text: string; // actions with equal texts build equal descriptors
}

/** A list of `rate_limits`. One that this reader does not know is noted, and has no descriptor. */
export const descriptorsOf = (
  list: YamlNode | null,
  context: EnvoyContext,
): readonly DescriptorOf[] =>
  (list?.items ?? []).flatMap((node): readonly DescriptorOf[] => {
    context.notes.note(list!, "read");
    for (const name of ["disable_key", "limit", "hits_addend", "apply_on_stream_done"]) {
      const field = fieldOf(node, name);
      if (field !== null)
        context.notes.note(field, "not understood", "this reader counts each request once");
    }
    const stage = readField(node, "stage", context);
    if (stage !== null && stage.value !== 0) {
      context.notes.note(stage, "not understood", "this reader reads stage 0, and not this limit");
      return [];
    }
    const actions = readField(node, "actions", context)?.items ?? [];
    const entries = actions.map((action) => entryOf(action, context));
    if (entries.includes(null)) return [];
    return [
      {
        text: actions.map(textOfAction).join(),
        of: (request, cluster) => {
          const all = entries.map((each) => each!(request, cluster));
          return all.includes(null)
            ? null
            : all.filter((each): each is EnvoyEntry => each !== null && each !== "skip");
        },
      },
    ];
  });

/** Without the fields that change only whether there is an entry. */
const textOfAction = (node: YamlNode): string =>
  node.name === "skip_if_absent"
    ? ""
    : `${node.name}(${textIn(node)}${childrenOf(node).map(textOfAction).join(" ")})`;

const orNull = (
  key: string,
  value: string | null,
  otherwise: "skip" | null = null,
): EnvoyEntry | "skip" | null => (value === null || value === "" ? otherwise : { key, value });

/** Null: this reader does not know the action, which is noted. */
function entryOf(node: YamlNode, context: EnvoyContext): EntryOf | null {
  const [action] = node.fields?.values() ?? [];
  const read = ACTIONS[action?.name.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`) ?? ""];
  const found = action === undefined || read === undefined ? null : read(action, context);
  if (found !== null) context.notes.note(action!, "read");
  else context.notes.note(action ?? node, "not understood", "no request has its descriptor here");
  return found;
}

const textOf = (node: YamlNode, name: string, context: EnvoyContext): string | null => {
  const field = readField(node, name, context);
  return field === null ? null : textIn(field);
};

type ReadAction = (action: YamlNode, context: EnvoyContext) => EntryOf | null;

const ACTIONS: Readonly<Record<string, ReadAction>> = {
  remote_address:
    () =>
    ({ address }) =>
      orNull("remote_address", address),
  masked_remote_address: (action, context) => {
    const v4 = Number(textOf(action, "v4_prefix_mask_len", context) ?? 32);
    const v6 = Number(textOf(action, "v6_prefix_mask_len", context) ?? 128);
    return ({ address }) => {
      const bytes = parseAddress(address);
      if (bytes === null) return null;
      const bits = bytes.length === 4 ? v4 : v6;
      const value = `${formatAddress(networkOf(bytes, bits))}/${bits}`;
      return { key: "masked_remote_address", value };
    };
  },
  request_headers: (action, context) => {
    const value = headerIn(textOf(action, "header_name", context) ?? "", context.headers);
    const key = textOf(action, "descriptor_key", context) ?? "";
    const isSkipped = readField(action, "skip_if_absent", context)?.value === true;
    return (request) => orNull(key, value(request), isSkipped ? "skip" : null);
  },
  query_parameters: (action, context) => {
    const name = textOf(action, "query_parameter_name", context) ?? "";
    const key = textOf(action, "descriptor_key", context) ?? "";
    const isSkipped = readField(action, "skip_if_absent", context)?.value === true;
    return (request) => orNull(key, parametersOf(request).get(name), isSkipped ? "skip" : null);
  },
  generic_key: (action, context) => {
    const key = textOf(action, "descriptor_key", context) ?? "generic_key";
    const value = textOf(action, "descriptor_value", context) ?? "";
    return () => ({ key, value });
  },
  destination_cluster: () => (_, cluster) => orNull("destination_cluster", cluster),
  header_value_match: (action, context) => matchAction(action, context, "headers"),
  query_parameter_value_match: (action, context) =>
    matchAction(action, context, "query_parameters"),
};

function matchAction(
  action: YamlNode,
  context: EnvoyContext,
  list: "headers" | "query_parameters",
): EntryOf | null {
  const usual = list === "headers" ? "header_match" : "query_match";
  const key = textOf(action, "descriptor_key", context) ?? usual;
  const value = textOf(action, "descriptor_value", context) ?? "";
  const isWanted = readField(action, "expect_match", context)?.value !== false;
  const testOf = list === "headers" ? headerTest : queryTest;
  const items = readField(action, list, context)?.items ?? [];
  const tests = items.map((item) => testOf(item, context));
  if (tests.includes(null)) return null;
  return (request) => (tests.every((test) => test!(request)) === isWanted ? { key, value } : null);
}
