// What the desk is made of: rooms, each with what it shows and what its forms do; what is told above a screen;
// and how an editor gets from one item of the queue to the next.
import type { Session } from '../../desk/sign-in.ts';
import { loadReviewQueue } from '../../desk/review-queue.ts';
import type { AppError, RefusalReason } from '../../domain/app-error.ts';
import { type Actor, MAX_REASON_LENGTH } from '../../domain/change.ts';
import { cleanLine } from '../../domain/clean-text.ts';
import { PASSWORD_LENGTH } from '../../domain/password-policy.ts';
import { byLang, type Lang, type LocalText } from '../../domain/lang.ts';
import { translateSchemaIssue } from '../../i18n/format-overrides.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { isMessageKey, t } from '../../i18n/translate.ts';
import type { PageContext } from '../page-context.ts';
import { type RedirectResult, redirectAfterPost, type VisitorRequest } from '../visitor-request.ts';

/** One request to the desk by somebody who is in. */
export interface DeskRequest {
  readonly state: PageContext;
  readonly visit: VisitorRequest;
  readonly actor: Actor;
  readonly session: Session;
}

/** What is told above a screen, and its status. */
export interface ScreenMessage {
  readonly status: number;
  readonly notice: string | null;
}
export const NO_MESSAGE: ScreenMessage = { status: 200, notice: null };

/** The view of a screen under the name of its component. */
export interface ScreenResult extends ScreenMessage {
  readonly kind: 'screen';
  readonly name: string;
  readonly view: object;
}
export const createScreenResult = (
  name: string,
  view: object,
  told: ScreenMessage = NO_MESSAGE,
): ScreenResult => ({
  kind: 'screen',
  name,
  view,
  ...told,
});

/** Its screen, with what was typed where a form was refused, and `more` that only the form brought up. */
export type RenderScreen<M> = (told: ScreenMessage, more?: M) => Promise<ScreenResult>;
type ScreenResponse = Promise<ScreenResult | RedirectResult>;

interface RoomParts<T, M> {
  /** That of its component. */
  readonly name: string;
  /** What the id behind its address names; null for nothing. */
  readonly find: (request: DeskRequest, id: string) => Promise<T | null>;
  readonly load: (request: DeskRequest, thing: T, more?: M) => Promise<object>;
  /** What a form that is sent there does. Throws AppError where it cannot. */
  readonly act?: (request: DeskRequest, thing: T, show: RenderScreen<M>) => ScreenResponse;
}

/** A room at an address; null where it has none of that id. */
export type DeskScreen = (
  request: DeskRequest,
  id: string,
) => Promise<{
  readonly show: RenderScreen<never>;
  readonly act: (() => ScreenResponse) | null;
} | null>;

export const defineScreen =
  <T, M = never>({ name, find, load, act }: RoomParts<T, M>): DeskScreen =>
  async (request, id) => {
    const thing = await find(request, id);
    if (thing === null) return null;
    const show: RenderScreen<M> = async (told, more) =>
      createScreenResult(name, await load(request, thing, more), told);
    return { show, act: act ? () => act(request, thing, show) : null };
  };

/** Of a room that is of no one thing. */
export const noRecord = async (_: DeskRequest, id: string): Promise<'' | null> =>
  id === '' ? id : null;

/** What was just done, after the redirect back. */
export function successMessage({ query, lang }: VisitorRequest): ScreenMessage {
  const key = `desk.done.${query.done}`;
  return { status: 200, notice: isMessageKey(key) ? t(lang, key) : null };
}

/** What was typed is wrong. For any other reason, something has changed meanwhile. */
const WRONG: readonly (RefusalReason | null)[] = [
  'no_reason',
  'no_words',
  'reason_too_long',
  'no_such_day',
  'no_such_duplicate',
  'as_it_was',
  'picture_gone',
  'bad_name',
  'last_editor',
  'no_such_editor',
  'no_such_session',
  'weak_password',
  'wrong_password',
  'wrong_code',
  'factor_there',
  'busy',
];

/** Why something could not be done. */
export function refusalMessage({ code, reason }: AppError, lang: Lang): ScreenMessage {
  const status = code === 'unavailable' ? 503 : WRONG.includes(reason) ? 422 : 409;
  const key = `desk.refused.${reason}`;
  const limit = reason === 'weak_password' ? PASSWORD_LENGTH.min : MAX_REASON_LENGTH;
  return { status, notice: t(lang, isMessageKey(key) ? key : 'desk.refused.state', { limit }) };
}

/** What is wrong with a field, in the editor's language. */
export const formatIssueForEditor = (
  { rule, message }: { readonly rule: string; readonly message: string },
  lang: Lang,
): string =>
  rule === 'missing' ? t(lang, 'submit.issue.missing') : translateSchemaIssue(message, lang);

/** What readers are to be told of a cancellation or postponement, as an editor typed it. */
export const parseNote = (fields: Readonly<Record<string, string>>): LocalText =>
  byLang((lang) => fields[`note_${lang}`] ?? '');

/** The words that the queue was searched for. */
export const queueSearchTerm = ({ q = '' }: VisitorRequest['query']): string =>
  cleanLine(q).slice(0, 100);

export const queueItemPath = (reference: string, done = ''): string =>
  `${DESK_PATHS.items}/${reference}${done && `?done=${done}`}`;

/** Where an editor who works through the queue stands at an item. */
export async function getQueuePosition({ state, visit }: DeskRequest, reference: string) {
  const waiting = await loadReviewQueue(visit.inbox, state.snapshot, state.now_ms);
  const at = waiting.findIndex((item) => item.reference === reference);
  const next = waiting[at + 1] ?? waiting.find((item) => item.reference !== reference);
  return {
    /** Null where nothing else waits. */
    next_path: next ? queueItemPath(next.reference) : null,
    /** How many wait, this one included. */
    left: waiting.length,
    /** To what comes after it, or to the first page, once it is decided. */
    goOn: (done: string): RedirectResult =>
      next
        ? redirectAfterPost(queueItemPath(next.reference, done))
        : redirectWithMessage(DESK_PATHS.today, done),
  };
}

/** Back to where something was done. */
export const redirectWithMessage = (
  path: string,
  done: string,
  cookie: string | null = null,
): RedirectResult => redirectAfterPost(`${path}?done=${done}`, cookie);
