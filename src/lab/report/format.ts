// Apart from the schema, which a run that only writes reports would load in every thread.
export const REPORT_FORMAT = "weir-report/3";
