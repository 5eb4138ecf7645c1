// What a visitor of the form or the desk brings along: handed by the front server to the page that
// answers.
import type { Lang } from '../domain/lang.ts';
import type { ReleaseNews } from '../domain/release-news.ts';
import type { Inbox } from '../inbox/open.ts';

/** Why what was sent is not read: from another site, no form, too large. */
export type VisitRefusal = 403 | 413 | 415;

export interface Visit {
  readonly method: 'GET' | 'POST';
  readonly query: Readonly<Record<string, string>>;
  /** What was sent, by control; what stands there several times is joined with commas. */
  readonly fields: Readonly<Record<string, string>>;
  /** Set where the fields are empty because they were not read. */
  readonly refusal: VisitRefusal | null;
  /** The cookie of the desk. */
  readonly session_token: string | null;
  readonly cookie_name: string;
  /** As what the client's address is counted. */
  readonly sender: string;
  /** What the browser prefers, for the desk, which has one address for both languages. */
  readonly lang: Lang;
  /** Cookies go over https only. */
  readonly is_secure: boolean;
  readonly inbox: Inbox;
  /** Asks for a release now. */
  readonly requestRelease: () => void;
  readonly readReleaseNews: () => ReleaseNews;
}
