// What a visitor of the form or the desk brings along, given by the front server to the page that
// answers; and how it answers: with itself, or with a redirect (RFC 9110, 15.4.4: 303 after a POST).
import type { BrowserSession } from '../desk/sign-in.ts';
import type { ImportProblem } from '../domain/imported-events.ts';
import type { ReleaseStatus } from '../domain/health.ts';
import type { Lang } from '../domain/lang.ts';
import type { PictureProblem } from '../domain/submission/submitted-picture.ts';
import type { MessageKey } from '../i18n/translate.ts';

/** Why what was sent is not taken in: cut off, from another site, too large, no form, nothing can be stored. */
export type RejectedStatus = 400 | 403 | 413 | 415 | 503;
export const REJECTION_MESSAGE_KEYS: Readonly<Record<RejectedStatus, MessageKey>> = {
  400: 'submit.refused.cut_off',
  403: 'submit.refused.foreign',
  413: 'submit.refused.too_large',
  415: 'submit.refused.no_form',
  503: 'submit.refused.busy',
};

/** A calendar that was sent along: its bytes, and where they were fetched; or what is wrong. */
export type ReceivedCalendarFile =
  | { readonly bytes: Uint8Array; readonly url: string | null }
  | { readonly problem: ImportProblem };

/** The sources that files name, and one read now, in a process of its own. */
export interface SourceReader {
  readonly list: () => readonly { readonly key: string; readonly name: string }[];
  /** `with_gone`: what is not there any more may be asked about, however much it is. */
  readonly pull: (key: string, with_gone: boolean) => Promise<unknown>;
}

export interface VisitorRequest extends BrowserSession {
  readonly method: 'GET' | 'POST';
  readonly query: Readonly<Record<string, string>>;
  /** What was sent, by control; what stands there several times is joined with commas. */
  readonly fields: Readonly<Record<string, string>>;
  /** Set where it is not taken in; the fields are what was read of it, none of what is foreign or no form. */
  readonly refusal: RejectedStatus | null;
  /** What is wrong with the picture that was sent along; one that is right is among the fields. */
  readonly picture_problem: PictureProblem | null;
  /** When what was sent along is taken again, where that is known. */
  readonly retry_at_ms: number | null;
  /** A calendar that was sent along; null where none could be. */
  readonly calendar: ReceivedCalendarFile | null;
  /** As what the client's address is counted. */
  readonly sender: string;
  /** What the browser prefers, for the desk, which has one address for all languages. */
  readonly lang: Lang;
  /** A line for the log of the service: what happened, and nothing of a stranger. */
  readonly note: (event: string, details?: Readonly<Record<string, string>>) => void;
  readonly readReleaseNews: () => Promise<ReleaseStatus>;
  readonly sources: SourceReader;
  /** What the operator's model makes of the text of a flyer; null where there is none, or no answer. */
  readonly askModel: (
    asked: Readonly<Record<'text' | 'lang' | 'today', string>>,
  ) => Promise<unknown>;
}

export interface PageResult<P> {
  readonly kind: 'page';
  readonly status: number;
  readonly page: P;
  /** Where it is not that of its kind. */
  readonly component?: string;
  readonly retry_seconds?: number | undefined;
  /** What is wrong with the query, in the API's words; the page says it, its Markdown version is a refusal. */
  readonly issue?: string;
}
export interface RedirectResult {
  readonly kind: 'redirect';
  readonly location: string;
  /** For the session's cookie. */
  readonly cookie: string | null;
  /** 301 to where a thing is for good, after a POST 303. */
  readonly status: 301 | 302 | 303;
}

export const pageResult = <P>(page: P, status = 200): PageResult<P> => ({
  kind: 'page',
  status,
  page,
});
export const redirectAfterPost = (
  location: string,
  cookie: string | null = null,
): RedirectResult => ({
  kind: 'redirect',
  location,
  cookie,
  status: 303,
});
/** To a page that another moment or another query may change. */
export const redirectFound = (location: string): RedirectResult => ({
  ...redirectAfterPost(location),
  status: 302,
});
/** To where a thing is for good (RFC 9110, 15.4.2). */
export const redirectPermanently = (location: string): RedirectResult => ({
  ...redirectAfterPost(location),
  status: 301,
});

export function redirectToResponse({ location, cookie, status }: RedirectResult): Response {
  return new Response(null, {
    status,
    headers: { location, ...(cookie === null ? {} : { 'set-cookie': cookie }) },
  });
}
