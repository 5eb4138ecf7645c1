// What the desk is made of: rooms, each with what it shows and what its forms do; the screens that they
// give; and what is told above a screen.
import { type Actor, MAX_REASON, UNDO_REFUSALS, type UndoRefusal } from '../../domain/change.ts';
import type { Session } from '../../desk/sign-in.ts';
import type { AppError, ErrorReason } from '../../domain/app-error.ts';
import { PASSWORD_LENGTH } from '../../domain/editor.ts';
import type { Lang } from '../../domain/lang.ts';
import { type Key, t } from '../../i18n/translate.ts';
import type { SiteState } from '../state.ts';
import type { Redirect, Visit } from '../visit.ts';

/** One request to the desk by somebody who is in. */
export interface DeskRequest {
  readonly state: SiteState;
  readonly visit: Visit;
  readonly actor: Actor;
  readonly session: Session;
}

/** What is told above a screen, and its status. */
export interface Told {
  readonly status: number;
  readonly notice: string | null;
}
export const NOTHING_TOLD: Told = { status: 200, notice: null };

/** The view of a screen under the name of its component. */
export interface Screen extends Told {
  readonly kind: 'screen';
  readonly name: string;
  readonly view: object;
  /** The reference of what it is about, if it has one. */
  readonly reference: string | null;
}
export const toScreen = (
  name: string,
  view: object,
  told: Told = NOTHING_TOLD,
  reference: string | null = null,
): Screen => ({ kind: 'screen', name, view, reference, ...told });

/** Null where there is nothing of that id. What was typed is shown again by `show`. */
export interface Room {
  readonly show: (request: DeskRequest, id: string, told: Told) => Promise<Screen | null>;
  /** What a form that is sent there does. Throws AppError where it cannot. */
  readonly act?: (request: DeskRequest, id: string) => Promise<Screen | Redirect | null>;
  /** It is of one thing, whose id stands behind its address. */
  readonly is_of_one?: true;
  /** A sender reads the reasons that are given there; elsewhere they stay in the log. */
  readonly is_read_by_sender?: true;
}

const DONE: Readonly<Record<string, Key>> = {
  approve: 'desk.done.approved',
  ask: 'desk.done.asked',
  reject: 'desk.done.rejected',
  decided: 'desk.done.decided',
  undone: 'desk.done.undone',
  settled: 'desk.done.settled',
  reopened: 'desk.done.reopened',
  saved: 'desk.done.saved',
  edited: 'desk.edit.done',
  erased: 'desk.done.erased',
  password: 'desk.account.done.password',
  factor_off: 'desk.account.done.factor_off',
  ended: 'desk.account.done.ended',
};

/** What was just done, after the redirect back. */
export function tellDone({ query, lang }: Visit): Told {
  const key = DONE[query.done ?? ''];
  return { status: 200, notice: key ? t(lang, key) : null };
}

/** What was typed is wrong: it is shown again to be put right. */
const WRONG: Readonly<Partial<Record<ErrorReason, Key>>> = {
  no_reason: 'desk.refused.reason',
  no_words: 'desk.refused.words',
  reason_too_long: 'desk.refused.reason_long',
  no_such_day: 'desk.refused.reason',
  no_such_duplicate: 'desk.refused.no_duplicate',
  as_it_was: 'desk.edit.nothing',
  picture_gone: 'submit.picture.gone',
  bad_name: 'desk.people.fault.name',
  last_editor: 'desk.people.fault.last',
  no_such_editor: 'desk.people.fault.none',
  no_such_session: 'desk.account.fault.session',
  weak_password: 'desk.account.fault.weak',
  wrong_password: 'desk.account.fault.password',
  wrong_code: 'desk.account.fault.code',
  factor_there: 'desk.account.fault.factor',
  busy: 'desk.refused.busy',
};
/** For any other reason, something has changed meanwhile. */
const CHANGED: Readonly<Partial<Record<ErrorReason, Key>>> = {
  not_decided: 'desk.refused.reopen',
  event_withdrawn: 'desk.refused.withdrawn',
  nothing_chosen: 'desk.refused.nothing_picked',
  not_stored: 'desk.refused.not_stored',
  inbox_busy: 'desk.refused.inbox_busy',
};

const UNDO: readonly (ErrorReason | null)[] = UNDO_REFUSALS;
const isUndoRefusal = (reason: ErrorReason | null): reason is UndoRefusal => UNDO.includes(reason);

/** Why something could not be done. */
export function tellRefused(
  { code, reason }: AppError,
  lang: Lang,
  reader: keyof typeof MAX_REASON,
): Told {
  const wrong = reason && WRONG[reason];
  const status = code === 'unavailable' ? 503 : wrong ? 422 : 409;
  if (isUndoRefusal(reason)) return { status, notice: t(lang, `desk.undo.why.${reason}`) };
  const limit = reason === 'weak_password' ? PASSWORD_LENGTH.min : MAX_REASON[reader];
  const key = wrong ?? (reason && CHANGED[reason]) ?? 'desk.refused.state';
  return { status, notice: t(lang, key, { limit }) };
}
