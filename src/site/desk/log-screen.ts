// What the desk shows of its log: a page of decisions, and how they were chosen.
import type { DecisionAction } from '../../domain/decision.ts';
import type { DecisionLine } from './screens.ts';

export interface LogScreen {
  readonly screen: 'log';
  /** What was chosen, as typed; empty for all. */
  readonly chosen: { readonly editor: string; readonly action: string; readonly q: string };
  readonly editors: readonly string[];
  readonly actions: readonly DecisionAction[];
  readonly lines: readonly DecisionLine[];
  readonly count: number;
  readonly page: number;
  /** Addresses of the pages beside this one; null where there is none. */
  readonly newer: string | null;
  readonly older: string | null;
}
