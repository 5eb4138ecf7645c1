// What the desk shows: the frame that every screen has, and the screens.
import type { EventDetail } from '../../domain/agenda.ts';
import type { Decision } from '../../domain/decision.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { StoredSubmission } from '../../domain/submission/state.ts';
import type { FormField } from '../../domain/submission/form.ts';
import type { SubmissionWarning } from '../../domain/submission/warnings.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import type { ReleaseNews } from '../../domain/release-news.ts';
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
  readonly is_error: boolean;
  readonly waiting: number;
}

export interface QueueLine {
  readonly stored: StoredSubmission;
  readonly warnings: readonly SubmissionWarning[];
  readonly duplicates: number;
}

/** A decision with the words and the place of what it is about. */
export interface DecisionLine {
  readonly decision: Decision;
  readonly title: string;
  /** Null where there is nothing to show. */
  readonly path: string | null;
}

export interface Duplicate {
  readonly title: string;
  readonly place: string | null;
  readonly path: string;
}

export interface ItemScreen {
  readonly screen: 'item';
  readonly stored: StoredSubmission;
  readonly form: FormState;
  /** By control of the reviewer. */
  readonly additions: Readonly<Record<string, string | undefined>>;
  readonly addition_issues: ReadonlyMap<string, string>;
  readonly detail: EventDetail | null;
  readonly duplicates: readonly Duplicate[];
  readonly warnings: readonly SubmissionWarning[];
  /** Repeated after a refusal. */
  readonly reason: string;
  /** What was decided on it before, the newest first. */
  readonly history: readonly DecisionLine[];
  /** The controls that its sender changed since then. */
  readonly changed: readonly FormField[];
  /**
   * The published event's place on the desk, and what the desk says of it; null where nothing is
   * published yet.
   */
  readonly event: { readonly path: string; readonly overrides: readonly StatusOverride[] } | null;
}

/**
 * Decided over what was sent or written: the status of a day, or of the whole event where `date` is
 * empty.
 */
export interface StatusOverride {
  readonly date: string;
  readonly status: 'published' | 'cancelled' | 'postponed' | 'withdrawn';
}

export interface EventScreen {
  readonly screen: 'event';
  readonly detail: EventDetail;
  /** In a release already or not yet. */
  readonly overrides: readonly StatusOverride[];
  readonly days: readonly string[];
  /** Repeated after a refusal. */
  readonly values: Readonly<Record<string, string>>;
  readonly history: readonly DecisionLine[];
}

export interface NoticesScreen {
  readonly screen: 'notices';
  readonly open: readonly {
    readonly id: string;
    readonly title: string;
    readonly severity: NoticeRecord['severity'];
    readonly is_closed: boolean;
  }[];
  readonly values: Readonly<Record<string, string>>;
  readonly issues: ReadonlyMap<string, string>;
  readonly zones: readonly { readonly key: string; readonly name: string }[];
}

export interface QueueScreen {
  readonly screen: 'queue';
  /** The oldest; more may wait than are shown. */
  readonly lines: readonly QueueLine[];
  readonly decisions: readonly DecisionLine[];
  readonly undoable: number | null;
  readonly news: ReleaseNews;
  /**
   * A release was asked for on this very screen, which then looks again by itself until it is
   * there.
   */
  readonly is_asked: boolean;
}

export type Screen =
  | { readonly screen: 'login'; readonly name: string }
  | QueueScreen
  | ItemScreen
  | {
      readonly screen: 'events';
      readonly q: string;
      readonly events: readonly EventDetail['event'][];
      readonly is_cut: boolean;
    }
  | EventScreen
  | NoticesScreen
  | { readonly screen: 'missing' };

export const DESK_PATHS = {
  queue: '/revision',
  login: '/revision/entrar',
  logout: '/revision/salir',
  undo: '/revision/deshacer',
  release: '/revision/publicar',
  items: '/revision/envios',
  events: '/revision/eventos',
  notices: '/revision/avisos',
} as const;

/** A timestamp as people read it in a list: `2026-11-21 01:36`. */
export const toMinute = (timestamp: string): string => timestamp.slice(0, 16).replace('T', ' ');
