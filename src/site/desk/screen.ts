// Desk screens: defines a screen by its subject (a queue item, a record, or none), its view model
// and its form handler, formats the message above it, and finds an item's position in the review
// queue. After a form, the browser is redirected with `?done=NAME`, and the next screen confirms it
// with the text `desk.done.NAME`.
import type { Session } from '../../desk/sign-in.ts';
import { loadReviewQueue } from '../../desk/review-queue.ts';
import type { AppError, RefusalReason } from '../../domain/app-error.ts';
import { type Actor, MAX_REASON_LENGTH } from '../../domain/change.ts';
import { cleanLine } from '../../domain/clean-text.ts';
import { NO_RELEASE_STATUS } from '../../domain/health.ts';
import { PASSWORD_LENGTH } from '../../domain/password-policy.ts';
import { byLang, type Lang, type LocalText } from '../../domain/lang.ts';
import { translateSchemaIssue } from '../../i18n/format-overrides.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { isMessageKey, t } from '../../i18n/translate.ts';
import type { PageContext } from '../page-context.ts';
import { type RedirectResult, redirectAfterPost, type VisitorRequest } from '../visitor-request.ts';

/** A request to the desk by a signed-in editor. */
export interface DeskRequest {
  readonly context: PageContext;
  readonly visit: VisitorRequest;
  readonly actor: Actor;
  readonly session: Session;
}

/** The message above a screen, and its HTTP status. */
export interface ScreenMessage {
  readonly status: number;
  readonly message: string | null;
}
export const NO_MESSAGE: ScreenMessage = { status: 200, message: null };

/** View model of a screen, with the name of its component in desk-page.astro. */
export interface ScreenResult extends ScreenMessage {
  readonly kind: 'screen';
  readonly name: string;
  readonly view: object;
}
/** Creates the result of a request that shows a screen. */
export const createScreenResult = (
  name: string,
  view: object,
  message: ScreenMessage = NO_MESSAGE,
): ScreenResult => ({
  kind: 'screen',
  name,
  view,
  ...message,
});

/**
 * Renders a screen, with the submitted fields if its form was rejected.
 * @param form_result Data that only the form handler has, e.g. the issues of a rejected form.
 */
export type RenderScreen<F> = (message: ScreenMessage, form_result?: F) => Promise<ScreenResult>;
/** A form is answered with a screen, if it was rejected, or a redirect. */
type ScreenResponse = Promise<ScreenResult | RedirectResult>;

/** T: the subject of the screen; F: data from its form handler, such as issues. */
interface ScreenDefinition<T, F> {
  /** Name of the component in desk-page.astro. */
  readonly name: string;
  /** Finds the subject of the screen by the id in its path; null if no subject has that id. */
  readonly find: (request: DeskRequest, id: string) => Promise<T | null>;
  /** Loads the view model; after a rejected form with the data that `handleForm` passes on. */
  readonly loadView: (request: DeskRequest, subject: T, form_result?: F) => Promise<object>;
  /**
   * Applies a submitted form and redirects, or calls `render` to show the screen again. Throws
   * AppError if the form cannot be applied.
   */
  readonly handleForm?: (
    request: DeskRequest,
    subject: T,
    render: RenderScreen<F>,
  ) => ScreenResponse;
}

/** Opens the screen of an id. Resolves to null if no subject has that id. */
export type DeskScreen = (
  request: DeskRequest,
  id: string,
) => Promise<{
  readonly render: RenderScreen<never>;
  readonly handleForm: (() => ScreenResponse) | null;
} | null>;

/** Creates a screen from its definition. */
export const defineScreen =
  <T, F = never>({ name, find, loadView, handleForm }: ScreenDefinition<T, F>): DeskScreen =>
  async (request, id) => {
    const subject = await find(request, id);
    if (subject === null) return null;
    const render: RenderScreen<F> = async (message, form_result) =>
      createScreenResult(name, await loadView(request, subject, form_result), message);
    return {
      render,
      handleForm: handleForm ? () => handleForm(request, subject, render) : null,
    };
  };

/** The `find` of a screen without a subject: null if the path has an id. */
export const noRecord = async (_: DeskRequest, id: string): Promise<'' | null> =>
  id === '' ? id : null;

/** Formats the confirmation after a redirect with `?done=…`. */
export async function successMessage(visit: VisitorRequest): Promise<ScreenMessage> {
  const { query, lang, readReleaseNews } = visit;
  // After failed builds, a decision is not shown within seconds.
  const { failure, late_since } =
    query.done === 'decided' ? await readReleaseNews() : NO_RELEASE_STATUS;
  const key = `desk.done.${query.done}${failure || late_since ? '_unpublished' : ''}`;
  return { status: 200, message: isMessageKey(key) ? t(lang, key) : null };
}

/**
 * Refusals caused by the submitted form (422). Any other refusal means that the item has changed
 * (409).
 */
const FORM_REFUSALS: readonly (RefusalReason | null)[] = [
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

function refusalStatus({ code, reason }: AppError): number {
  if (code === 'unavailable') return 503;
  return FORM_REFUSALS.includes(reason) ? 422 : 409;
}

/** Formats a refusal as the message above the screen. */
export function refusalMessage(error: AppError, lang: Lang): ScreenMessage {
  const { reason } = error;
  const status = refusalStatus(error);
  const key = `desk.refused.${reason}`;
  const limit = reason === 'weak_password' ? PASSWORD_LENGTH.min : MAX_REASON_LENGTH;
  return { status, message: t(lang, isMessageKey(key) ? key : 'desk.refused.state', { limit }) };
}

/** Formats the issue of a field in the editor's language. */
export const formatIssueForEditor = (
  { rule, message }: { readonly rule: string; readonly message: string },
  lang: Lang,
): string =>
  rule === 'missing'
    ? t(lang, 'submit.issue.missing')
    : rule === 'unconfirmed'
      ? t(lang, 'desk.unconfirmed')
      : translateSchemaIssue(message, lang);

/** Parses the public note about a cancellation or postponement, in each language. */
export const parseNote = (fields: Readonly<Record<string, string>>): LocalText =>
  byLang((lang) => fields[`note_${lang}`] ?? '');

/** Returns the cleaned search term of the review queue or the log. */
export const queueSearchTerm = ({ q = '' }: VisitorRequest['query']): string =>
  cleanLine(q).slice(0, 100);

/**
 * Returns the path of a queue item.
 * @param done Name of the confirmation to show; empty for none.
 */
export const queueItemPath = (reference: string, done = ''): string =>
  `${DESK_PATHS.items}/${reference}${done && `?done=${done}`}`;

/** Returns the position of an item in the review queue, by urgency. */
export async function getQueuePosition({ context, visit }: DeskRequest, reference: string) {
  const pending = await loadReviewQueue(visit.inbox, context.snapshot, context.now_ms);
  const index = pending.findIndex((item) => item.reference === reference);
  const next_item = pending[index + 1] ?? pending.find((item) => item.reference !== reference);
  return {
    /** Null if no other item is pending. */
    next_path: next_item ? queueItemPath(next_item.reference) : null,
    /** Number of pending items, including this one. */
    pending_count: pending.length,
    /** Redirects to the next item, or to the first screen after the last one. */
    redirectToNext: (done: string): RedirectResult =>
      next_item
        ? redirectAfterPost(queueItemPath(next_item.reference, done))
        : redirectWithMessage(DESK_PATHS.today, done),
  };
}

/** Redirects to a screen that shows the confirmation `desk.done.…`. */
export const redirectWithMessage = (
  path: string,
  done: string,
  cookie: string | null = null,
): RedirectResult => redirectAfterPost(`${path}?done=${done}`, cookie);
