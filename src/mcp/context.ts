// What the MCP server is given with every request: the data, the instant, the site, the use case.
import type { SenderDesk } from '../desk/propose.ts';
import type { Site } from '../domain/site.ts';
import type { Snapshot } from '../snapshot/open.ts';

export interface McpContext {
  readonly snapshot: Snapshot;
  /** Epoch milliseconds of the request. */
  readonly now_ms: number;
  readonly site: Site;
  /**
   * As what the client's address is counted (server/http/admit.ts), for the limit of submissions.
   */
  readonly sender: string;
  /** What a sender does: sends in, follows by a token; null where nothing is taken in. */
  readonly desk: SenderDesk | null;
  /** Why no tool runs now, told as its result; left out where one may. */
  readonly refusal?: string;
  /** Receives what was thrown and is no AppError; the client never sees it. */
  readonly onError?: (error: unknown) => void;
  /** Most characters of a text that is told (shorten.ts); left out where all of it is. */
  readonly characters?: number;
}
