// What the MCP server is given with every question: the data, the instant, the site, the inbox.
import type { Site } from '../domain/site.ts';
import type { Snapshot } from '../snapshot/open.ts';
import type { Inbox } from '../inbox/open.ts';

export interface McpContext {
  readonly snapshot: Snapshot;
  /** Epoch milliseconds of the question. */
  readonly now_ms: number;
  readonly site: Site;
  /**
   * As what the client's address is counted (http/client-address.ts), for the limit of submissions.
   */
  readonly sender: string;
  /** Where submissions go; null where none are taken. */
  readonly inbox: Inbox | null;
  /** Told of what was thrown and is no AppError; the client never sees it. */
  readonly onError?: (error: unknown) => void;
}
