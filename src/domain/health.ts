// How the service is, for /healthz, /statusz and the page of its status; how releases go, for who waits
// for one; and what is wrong with a file of content that a release has.

export interface PublishedContentIssue {
  readonly file: string;
  /** From 1; null where the fault is not in one place. */
  readonly line: number | null;
  /** `when[0].start`; empty for the whole file. */
  readonly field: string;
  /** In English, as editors read it where they check. */
  readonly message: string;
  /** Whether the file is left out, for it never was good; else it says what it last said. */
  readonly is_left_out: boolean;
}

export interface ServiceHealth {
  /** The id of the release that serves, and when its sources were read. */
  readonly release: string;
  readonly generated_at: string;
  readonly generated_ms: number;
  /** When the next one is due, epoch ms; null where nothing is scheduled. */
  readonly next_ms: number | null;
  readonly success: {
    readonly release: string;
    readonly generated_at: string;
    readonly summary: string;
  } | null;
  readonly failure: {
    readonly at: string;
    readonly reason: string;
    /** What of content stopped it, where that did. */
    readonly faults?: readonly Pick<PublishedContentIssue, 'file' | 'line'>[] | undefined;
  } | null;
  /** Files of content that could not be taken as they stand. */
  readonly faults: readonly Pick<PublishedContentIssue, 'file' | 'line'>[];
  /** A release that should serve and does not. */
  readonly refusal: { readonly release: string; readonly reason: string } | null;
  /** Older than two runs of the schedule. */
  readonly is_stale: boolean;
}

/** What a release brought: events, and how long it took. */
type ReleaseChanges = Readonly<
  Record<'read' | 'new' | 'changed' | 'cancelled' | 'gone' | 'duration_s', number>
>;

export interface ReleaseStatus {
  /** Decided, and not in what serves. */
  readonly is_wanted: boolean;
  readonly is_building: boolean;
  /** Timestamps with offset. `changes` is null where an older version built it. */
  readonly last: { readonly at: string; readonly changes: ReleaseChanges | null } | null;
  /** Since then; `reason` is for the operator. */
  readonly failure: { readonly at: string; readonly reason: string } | null;
  readonly faults: readonly PublishedContentIssue[];
}

export const NO_RELEASE_STATUS: ReleaseStatus = {
  is_wanted: false,
  is_building: false,
  last: null,
  failure: null,
  faults: [],
};
