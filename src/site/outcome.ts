// The answers that carry no page.
import type { FailureKind } from '../components/failures/failure-kind.ts';

/** The thing has another address now; `location` is its path. */
export interface Moved {
  readonly kind: 'moved';
  readonly location: string;
}

/** There is no page to show. */
export interface Failure {
  readonly kind: 'failure';
  readonly failure: FailureKind;
}

/** The answer that sends on to a path. */
export const toMoved = (location: string): Moved => ({ kind: 'moved', location });
export const NOT_FOUND: Failure = { kind: 'failure', failure: 'not_found' };
export const GONE: Failure = { kind: 'failure', failure: 'gone' };
