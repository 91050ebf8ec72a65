/** A scenario that passes, small enough to be written into a playground. */
export const TWO_OF_THREE = `title: two of three
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 2, per: 1 } }
traffic:
  - { as: alice, send: GET /orders, burst: 3, at: 0s }
expect:
  - { id: two are admitted, sequence: {}, equals: 2*200 429 }
`;
