// What the parts of several templates have in common.
/** Large numbers are in thousands and millions, and no number by more digits than it has. */
export const NUMBER =
  "abs(datum.value) >= 10000 ? format(datum.value, '.3~s') : format(datum.value, ',.6~r')";

export const own = (field: string): object => ({ field, type: "nominal", scale: null });
export const quantity = (field: string): object => ({ field, type: "quantitative" });
export const tooltip = { field: "tip", type: "nominal" };

const ticksBy70 = { tickCount: { expr: "ceil(width / 70)" } };

export const across = {
  x: {
    ...quantity("from"),
    title: "x",
    scale: { domain: [0, 1], nice: false },
    axis: { grid: false, labelExpr: NUMBER, ...ticksBy70 },
  },
  x2: { field: "to" },
};

/** Of what is counted, such as requests: there is no half of one. `leastStep` is 0 where it is measured. */
export const counted = {
  ...across,
  x: {
    ...across.x,
    axis: { ...across.x.axis, tickMinStep: { expr: "leastStep" } },
  },
};

/** From the bottom to the top, whatever the axis is. */
export const upright = { y: { value: 0 }, y2: { value: { expr: "height" } } };

/** Places are counted in rows. A name is above its row, so that long ones take nothing from the drawing. */
export const row = (field: string): object => ({
  ...quantity(field),
  scale: { domain: [0, 1], nice: false },
  axis: null,
});
