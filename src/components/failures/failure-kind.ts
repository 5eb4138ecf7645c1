// The ways in which a page has no answer.

/** Its HTTP status: nothing there, withdrawn for legal reasons, or our own fault. */
export const FAILURE_STATUS = { not_found: 404, gone: 410, broken: 500 } as const;
export type FailureKind = keyof typeof FAILURE_STATUS;
