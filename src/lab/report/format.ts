// Separate from the schema, which every thread of a run that only writes reports would otherwise load.
export const REPORT_FORMAT = "weir-report/3";
