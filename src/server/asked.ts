// A question at the moment it was asked: with the release it is answered from, the instant and the house's rules.
import type { Door } from '../http/admission.ts';
import type { Question, Site } from '../http/exchange.ts';
import type { ReleaseState } from './release-state.ts';

/** What is the same for every question. */
export interface House {
  readonly site: Site;
  readonly door: Door;
  readonly rebuild_hours: number;
  /** Told of what was thrown and is no fault of the caller. */
  readonly onFault: (thrown: unknown, path: string) => void;
}

export interface Asked {
  readonly question: Question;
  /** The peer of the connection. */
  readonly socket_address: string | undefined;
  readonly state: ReleaseState;
  readonly now_ms: number;
  readonly house: House;
}
