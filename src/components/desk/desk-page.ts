// What the desk shows: the frame that every screen has, and the screens.
import type { EventDetail } from '../../domain/agenda.ts';
import type { Decision } from '../../domain/decision.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { KeptSubmission } from '../../domain/submission-state.ts';
import type { SubmissionWarning } from '../../domain/submission-warnings.ts';
import type { FormState } from '../submit/form-sections.ts';

/** Around every screen. */
export interface Frame {
  readonly lang: Lang;
  readonly site: Site;
  /** Null before the login. */
  readonly editor: string | null;
  /** For the hidden field of every form. */
  readonly csrf: string;
  /** What just happened, or what is wrong. */
  readonly notice: string | null;
  readonly is_fault: boolean;
  readonly waiting: number;
}

export interface QueueLine {
  readonly kept: KeptSubmission;
  readonly warnings: readonly SubmissionWarning[];
  readonly twins: number;
}

export interface Twin {
  readonly title: string;
  readonly place: string | null;
  readonly path: string;
}

export interface ItemScreen {
  readonly screen: 'item';
  readonly kept: KeptSubmission;
  readonly form: FormState;
  /** By control of the reviewer. */
  readonly additions: Readonly<Record<string, string | undefined>>;
  readonly addition_faults: ReadonlyMap<string, string>;
  readonly detail: EventDetail | null;
  readonly twins: readonly Twin[];
  readonly warnings: readonly SubmissionWarning[];
  /** Repeated after a refusal. */
  readonly reason: string;
}

export interface EventScreen {
  readonly screen: 'event';
  readonly detail: EventDetail;
  /** Decided and not in a release yet, or in one already: the status by day, empty for the whole event. */
  readonly said: readonly { readonly date: string; readonly status: string }[];
  readonly days: readonly string[];
}

export interface NoticesScreen {
  readonly screen: 'notices';
  readonly open: readonly { readonly id: string; readonly title: string; readonly severity: string; readonly is_closed: boolean }[];
  readonly values: Readonly<Record<string, string>>;
  readonly faults: ReadonlyMap<string, string>;
  readonly zones: readonly { readonly key: string; readonly name: string }[];
}

export type Screen =
  | { readonly screen: 'login'; readonly name: string }
  | { readonly screen: 'queue'; readonly lines: readonly QueueLine[]; readonly decisions: readonly Decision[]; readonly undoable: number | null; readonly is_asked: boolean }
  | ItemScreen
  | { readonly screen: 'events'; readonly q: string; readonly events: readonly EventDetail['event'][] }
  | EventScreen
  | NoticesScreen
  | { readonly screen: 'missing' };

export const DESK_PATHS = {
  queue: '/revision', login: '/revision/entrar', logout: '/revision/salir', undo: '/revision/deshacer', release: '/revision/publicar',
  items: '/revision/envios', events: '/revision/eventos', notices: '/revision/avisos',
} as const;
