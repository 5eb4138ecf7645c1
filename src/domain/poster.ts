// What stands on the picture that a link is shared with: a date large, and what it is the date of.

/** The words of a poster, in one language; all of them may be a stranger's. */
export interface Poster {
  /** The site's name, at its foot. */
  readonly name: string;
  /** `sábado`, `21`, `de noviembre`; null for the poster of the site itself. */
  readonly date: {
    readonly weekday: string;
    readonly number: string;
    readonly month: string;
  } | null;
  /** Above the title: that it is cancelled or postponed; null as a rule. */
  readonly mark: string | null;
  readonly title: string;
  /** Place and hours, or how many events; one line each. */
  readonly lines: readonly string[];
}

/** Pixels of a poster: the size that networks and messengers ask for. */
export const POSTER_SIZE = { width: 1200, height: 630 } as const;
