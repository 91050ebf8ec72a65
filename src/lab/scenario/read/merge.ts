// Merges flows that are each sorted by time into one list sorted by time; at equal times the earlier flow comes first.
// Neighbours are merged in pairs. Merging moves only times and row numbers; other columns are copied once, at the end.

interface PlanColumns {
  readonly atUs: Float64Array;
  readonly flow: Uint32Array;
  readonly client: Uint32Array;
  readonly stage: Int32Array;
  readonly address: Int32Array;
}

export interface FlowColumns {
  readonly atUs: Float64Array;
  readonly client: Uint32Array;
  readonly stage: Int32Array | null;
  readonly flow: number | Uint32Array; // the flow of all rows, or of each row
  readonly address: Int32Array | null;
}

interface SortedRun {
  readonly atUs: Float64Array;
  readonly row: Uint32Array; // index in the rows of all flows, concatenated
}

export function mergeFlows(flows: readonly FlowColumns[]): PlanColumns {
  const [only] = flows;
  return only === undefined || flows.length > 1 ? mergeSeveral(flows) : columnsOfOne(only);
}

const columnsOfOne = ({ atUs, client, stage, flow, address }: FlowColumns): PlanColumns => ({
  atUs,
  flow: typeof flow === "number" ? new Uint32Array(atUs.length).fill(flow) : flow,
  client,
  stage: stage ?? new Int32Array(atUs.length).fill(-1),
  address: address ?? new Int32Array(atUs.length).fill(-1),
});

function mergeSeveral(flows: readonly FlowColumns[]): PlanColumns {
  const total = flows.reduce((sum, { atUs }) => sum + atUs.length, 0);
  const flow = new Uint32Array(total);
  const client = new Uint32Array(total);
  const stage = new Int32Array(total).fill(-1);
  const address = new Int32Array(total).fill(-1);
  const runs: SortedRun[] = [];
  let start = 0;
  for (const columns of flows) {
    const { length } = columns.atUs;
    if (typeof columns.flow === "number") flow.fill(columns.flow, start, start + length);
    else flow.set(columns.flow, start);
    if (columns.address !== null) address.set(columns.address, start);
    client.set(columns.client, start);
    if (columns.stage !== null) stage.set(columns.stage, start);
    const row = new Uint32Array(length);
    for (let i = 0; i < length; i++) row[i] = start + i;
    runs.push({ atUs: columns.atUs, row });
    start += length;
  }
  const { atUs, row } = mergeRuns(runs);
  return {
    atUs,
    flow: gatherRows(flow, row, new Uint32Array(total)),
    client: gatherRows(client, row, new Uint32Array(total)),
    stage: gatherRows(stage, row, new Int32Array(total)),
    address: gatherRows(address, row, new Int32Array(total)),
  };
}

function mergeRuns(runs: readonly SortedRun[]): SortedRun {
  const [first, second] = runs;
  if (first === undefined || second === undefined)
    return first ?? { atUs: new Float64Array(0), row: new Uint32Array(0) };
  const middle = runs.length >> 1;
  return mergePair(mergeRuns(runs.slice(0, middle)), mergeRuns(runs.slice(middle)));
}

function mergePair(
  { atUs: left, row: leftRow }: SortedRun,
  { atUs: right, row: rightRow }: SortedRun,
): SortedRun {
  const atUs = new Float64Array(left.length + right.length);
  const row = new Uint32Array(atUs.length);
  let i = 0;
  let j = 0;
  let out = 0;
  while (i < left.length && j < right.length) {
    if (left[i]! <= right[j]!) {
      atUs[out] = left[i]!;
      row[out++] = leftRow[i++]!;
    } else {
      atUs[out] = right[j]!;
      row[out++] = rightRow[j++]!;
    }
  }
  atUs.set(left.subarray(i), out);
  row.set(leftRow.subarray(i), out);
  out += left.length - i;
  atUs.set(right.subarray(j), out);
  row.set(rightRow.subarray(j), out);
  return { atUs, row };
}

function gatherRows<T extends Uint32Array | Int32Array>(from: T, row: Uint32Array, out: T): T {
  for (let i = 0; i < row.length; i++) out[i] = from[row[i]!]!;
  return out;
}
