/** A part does not start, in plain words. */
export class PartFailedError extends Error {}
