// Visitor requests: the request that the front server passes to form and desk pages, and the
// results that pages return: a page or a redirect (RFC 9110, 15.4.4: 303 after a POST).
import type { BrowserSession } from '../desk/sign-in.ts';
import type { ImportProblem } from '../domain/imported-events.ts';
import type { ReleaseStatus } from '../domain/health.ts';
import type { Lang } from '../domain/lang.ts';
import type { PictureProblem } from '../domain/submission/submitted-picture.ts';
import type { MessageKey } from '../i18n/translate.ts';

/**
 * HTTP status of a rejected form post: cut off, from another site, too large, not a form, or
 * storage unavailable.
 */
export type RejectedStatus = 400 | 403 | 413 | 415 | 503;
/** Message that the form shows for each rejection. */
export const REJECTION_MESSAGE_KEYS: Readonly<Record<RejectedStatus, MessageKey>> = {
  400: 'submit.refused.cut_off',
  403: 'submit.refused.foreign',
  413: 'submit.refused.too_large',
  415: 'submit.refused.no_form',
  503: 'submit.refused.busy',
};

/**
 * An uploaded or fetched calendar, with the URL if it was fetched; or why it could not be received.
 */
export type ReceivedCalendarFile =
  | { readonly bytes: Uint8Array; readonly url: string | null }
  | { readonly problem: ImportProblem };

/** Lists the followed sources, and imports one at once, in a child process. */
export interface SourceReader {
  readonly list: () => readonly { readonly key: string; readonly name: string }[];
  /**
   * Imports a source at once. @param with_gone Propose the withdrawal of missing events, however
   * many there are.
   */
  readonly pull: (key: string, with_gone: boolean) => Promise<unknown>;
}

/** A request to a form page or the desk, parsed by the front server. */
export interface VisitorRequest extends BrowserSession {
  readonly method: 'GET' | 'POST';
  /** Query parameters by name. */
  readonly query: Readonly<Record<string, string>>;
  /** Form fields by name; repeated fields are joined with commas. */
  readonly fields: Readonly<Record<string, string>>;
  /**
   * Set if the post is rejected. `fields` then has the fields parsed so far: none if it came from
   * another site or is not a form.
   */
  readonly rejection: RejectedStatus | null;
  /** Problem of the uploaded picture; a valid picture is in `fields`. */
  readonly picture_problem: PictureProblem | null;
  /** Time of the next allowed request, if this one was rate limited. */
  readonly retry_at_ms: number | null;
  /** Null if the form has no calendar field, or it is empty. */
  readonly calendar: ReceivedCalendarFile | null;
  /** Rate limit key of the client's address. */
  readonly sender: string;
  /** Preferred language of the browser, for the desk, which has one address for all languages. */
  readonly lang: Lang;
  /** Writes a line to the service log. Must not contain personal data. */
  readonly logEvent: (event: string, details?: Readonly<Record<string, string>>) => void;
  /** Reads which release is live and how the last build ended, for the desk. */
  readonly readReleaseNews: () => Promise<ReleaseStatus>;
  /** The followed sources, which the desk lists and can import. */
  readonly sources: SourceReader;
  /**
   * Sends the text of a flyer to the operator's model. @returns null if there is no model or it
   * does not answer.
   */
  readonly askModel: (
    input: Readonly<Record<'text' | 'lang' | 'today', string>>,
  ) => Promise<unknown>;
}

/** A page to render. `page` is its view model, or the loaded data that the view is built from. */
export interface PageResult<P> {
  readonly kind: 'page';
  readonly status: number;
  readonly page: P;
  /** Component name, if not the page's name. */
  readonly component?: string;
  /** Value of Retry-After. */
  readonly retry_seconds?: number | undefined;
  /**
   * Issue of the query, in the API's words. The page shows it; its Markdown version is an error.
   */
  readonly issue?: string;
}
/** A redirect, also after a form submission. */
export interface RedirectResult {
  readonly kind: 'redirect';
  readonly location: string;
  /** Set-Cookie value of the session. */
  readonly cookie: string | null;
  /** 301: moved permanently; 302: found; 303: after a POST. */
  readonly status: 301 | 302 | 303;
}

/** Returns a page as a result. */
export const pageResult = <P>(page: P, status = 200): PageResult<P> => ({
  kind: 'page',
  status,
  page,
});
/** Redirects after a successful POST, so that reloading does not send the form again. */
export const redirectAfterPost = (
  location: string,
  cookie: string | null = null,
): RedirectResult => ({
  kind: 'redirect',
  location,
  cookie,
  status: 303,
});
/** Redirects temporarily: the target depends on the time or the query. */
export const redirect302 = (location: string): RedirectResult => ({
  ...redirectAfterPost(location),
  status: 302,
});
/** Redirects permanently (RFC 9110, 15.4.2). */
export const redirectPermanently = (location: string): RedirectResult => ({
  ...redirectAfterPost(location),
  status: 301,
});

/** Converts a redirect to an HTTP response. */
export function redirectToResponse({ location, cookie, status }: RedirectResult): Response {
  return new Response(null, {
    status,
    headers: { location, ...(cookie === null ? {} : { 'set-cookie': cookie }) },
  });
}
