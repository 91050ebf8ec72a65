// Scenario files that the command is tried on.

interface Parts {
  readonly matrix?: string;
  readonly world?: string;
  readonly traffic?: string;
  readonly expect?: string;
}

const WORLD = `
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 5, per: 1 } }
  gateway: { algorithm: fixed_window }`;
const TRAFFIC = `
  - { name: first, as: alice, send: GET /orders, burst: 6, at: 0s }`;
const EXPECT = `
  - id: five pass, one does not
    sequence: { flow: first }
    equals: 5*200 429`;

export const sample = (id: string, parts: Parts = {}): string => `id: ${id}
title: five requests pass in a second, the sixth is refused
proves: [LIM-1]${parts.matrix === undefined ? "" : `\nmatrix: ${parts.matrix}`}
world:${parts.world ?? WORLD}
traffic:${parts.traffic ?? TRAFFIC}
expect:${parts.expect ?? EXPECT}
`;

export const FAILING = `
  - id: six pass
    sequence: { flow: first }
    equals: 6*200
  - id: five pass, one does not
    sequence: { flow: first }
    equals: 5*200 429`;

export const VACUOUS = `
  - id: nobody is ever refused at the end
    count: { status: 429, during: [5s, 6s] }
    equals: 0
    among: { atLeast: 1 }`;

export const ALGORITHMS = sample("limits/algorithms", {
  matrix: "{ algorithm: [fixed_window, sliding_log] }",
  world: WORLD.replace("fixed_window", "$algorithm"),
});
