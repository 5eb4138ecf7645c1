// Service health: types for /healthz, /statusz and the status page, for the progress of releases,
// and for issues of content files in a release.

/** An issue of a content file, as the desk and the command line show it. */
export interface PublishedContentIssue {
  readonly file: string;
  /** From 1; null if the issue has no single position. */
  readonly line: number | null;
  /** Path of the invalid field: `when[0].start`; empty for the whole file. */
  readonly field: string;
  /** In English, as in the output of `npm run snapshot`. */
  readonly message: string;
  /** True if the file was never valid and is left out; otherwise its last valid version is used. */
  readonly is_left_out: boolean;
}

/** State of the service for the operator: /healthz, /statusz and the status page. */
export interface ServiceHealth {
  /** Id of the live release, and the time at which its sources were loaded. */
  readonly release: string;
  readonly generated_at: string;
  /** `generated_at` as epoch ms. */
  readonly generated_ms: number;
  /** Time of the next scheduled build, epoch ms, if any. */
  readonly next_ms: number | null;
  /** The last successful build; null if none is recorded. `summary` is for the operator. */
  readonly success: {
    readonly release: string;
    readonly generated_at: string;
    readonly summary: string;
  } | null;
  /** The last build, if it failed. */
  readonly failure: {
    readonly at: string;
    readonly reason: string;
    /** The content issues that stopped it, if any. */
    readonly faults?: readonly Pick<PublishedContentIssue, 'file' | 'line'>[] | undefined;
  } | null;
  /**
   * Content files with issues (`faults`) in the live release; an earlier version of each is used,
   * or none.
   */
  readonly faults: readonly Pick<PublishedContentIssue, 'file' | 'line'>[];
  /**
   * A release that should be live, and the reason why this server rejected it (`refusal`); null
   * normally.
   */
  readonly refusal: { readonly release: string; readonly reason: string } | null;
  /** The live release is older than two scheduled builds. */
  readonly is_stale: boolean;
}

/**
 * Numbers of events: all that the build read, and by kind of change since the previous release
 * (`gone`: removed). `duration_s`: build time in seconds.
 */
type ReleaseChanges = Readonly<
  Record<'read' | 'new' | 'changed' | 'cancelled' | 'gone' | 'duration_s', number>
>;

/** Progress of releases, as the desk shows it to editors. */
export interface ReleaseStatus {
  /** There are decisions that the live release does not include. */
  readonly is_pending: boolean;
  /** Timestamp of the oldest of these, if it waits for too long; null if none does. */
  readonly late_since: string | null;
  readonly is_building: boolean;
  /**
   * The live release; `at` is a timestamp with offset, `changes` null if an older version of the
   * code built it.
   */
  readonly last: { readonly at: string; readonly changes: ReleaseChanges | null } | null;
  /** The latest failed build since then; `reason` is for the operator. */
  readonly failure: { readonly at: string; readonly reason: string } | null;
  readonly faults: readonly PublishedContentIssue[];
}

export const NO_RELEASE_STATUS: ReleaseStatus = {
  is_pending: false,
  late_since: null,
  is_building: false,
  last: null,
  failure: null,
  faults: [],
};
