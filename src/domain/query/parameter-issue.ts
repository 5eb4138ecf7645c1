// Parameter issue: a fault of one parameter of a request (contract 7.3). Code decides by its data; the
// message is for people.

export interface ParameterIssue {
  readonly param: string;
  /** A sentence: the fault and the accepted values. */
  readonly message: string;
  /** The message states the current day. */
  readonly states_today?: true;
}

/** Joins issues to one message: `date: sentence; zone: sentence`. */
export const formatIssues = (issues: readonly ParameterIssue[]): string =>
  issues.map(({ param, message }) => `${param}: ${message}`).join('; ');
