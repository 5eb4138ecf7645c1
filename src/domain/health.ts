// How the service is: what /healthz, /statusz and the page of its status tell.
import type { ContentFault } from './content-fault.ts';

export interface Health {
  /** The id of the release that serves, and when its sources were read. */
  readonly release: string;
  readonly generated_at: string;
  readonly generated_ms: number;
  /** When the next one is due, epoch ms; null where nothing is scheduled. */
  readonly next_ms: number | null;
  /** The last build that served; null where none is known. */
  readonly success: {
    readonly release: string;
    readonly generated_at: string;
    /** What it brought, in words. */
    readonly summary: string;
  } | null;
  /** The build after it that failed; null where none did. */
  readonly failure: {
    readonly at: string;
    readonly reason: string;
    /** What of content stopped it, where that did. */
    readonly faults?: readonly Pick<ContentFault, 'file' | 'line'>[] | undefined;
  } | null;
  /** Files of content that could not be taken as they stand. */
  readonly faults: readonly Pick<ContentFault, 'file' | 'line'>[];
  /** A release that should serve and does not. */
  readonly refusal: { readonly release: string; readonly reason: string } | null;
  /** Older than two runs of the schedule. */
  readonly is_stale: boolean;
}
