// A submission as its sender is told of it by a tool: how it stands, what may be done, what was sent.
import * as v from 'valibot';
import type { Lang } from '../../domain/lang.ts';
import { toSentFields } from '../../domain/submission/corrected-fields.ts';
import {
  listSenderActs,
  type SenderAct,
  SENDER_ACTS,
} from '../../domain/submission/sender-acts.ts';
import type { StoredSubmission } from '../../domain/submission/submission.ts';
import { toAbsolute, toStatusPath, toThingPath } from '../../i18n/paths.ts';
import { toStatusWords } from '../../i18n/submission-status.ts';
import { findShown } from '../../desk/propose.ts';
import { MetaSchema } from '../../serializers/wire/meta.ts';
import { getVenue } from '../../snapshot/get-thing.ts';
import type { McpContext } from '../context.ts';

/** What the states of the inbox are called outside. */
export const PUBLIC_STATES = [
  'pending_review',
  'changes_requested',
  'approved',
  'rejected',
  'withdrawn',
] as const;
export const toPublicState = (state: StoredSubmission['state']): (typeof PUBLIC_STATES)[number] =>
  state === 'pending' ? 'pending_review' : state;

/** Never told, so that a model does not repeat it: it stays as it is unless it is given anew. */
const PRIVATE: readonly string[] = ['contact_email', 'picture_id'];
const FLAGS: readonly string[] = ['all_day', 'free', 'family', 'open_end'];

/** What is told; what holds nothing is left out. */
export interface Followed {
  readonly reference: string;
  readonly state: (typeof PUBLIC_STATES)[number];
  /** What waits, or was decided last. */
  readonly asks: StoredSubmission['asks'];
  /** Something of it is approved for the agenda. */
  readonly published: boolean;
  /** How it stands and what comes next, as its page says it. */
  readonly stage: string;
  readonly next: string;
  /** The reviewer's words to the sender. */
  readonly reason: string | null;
  /** The sender's words with a request. */
  readonly message: string | null;
  /** The days of a request, YYYY-MM-DD; null where it is about all of it. */
  readonly dates: readonly string[] | null;
  /** What `action` may be now. */
  readonly can: readonly SenderAct[];
  readonly received_at: string;
  readonly status_url: string;
  /** Once a release shows it. */
  readonly event_url: string | null;
  /** The fields as enviar_evento takes them. */
  readonly sent: Readonly<Record<string, string>>;
}

/** As much of it as its schema promises: the rest speaks for itself. */
export const FollowedResponse = v.strictObject({
  data: v.looseObject({
    reference: v.string(),
    state: v.picklist(PUBLIC_STATES),
    stage: v.string(),
    next: v.string(),
    can: v.array(v.picklist(SENDER_ACTS)),
    sent: v.looseObject({}),
  }),
  meta: MetaSchema,
});

/** The fields as enviar_evento takes them. */
function toTold({ submission }: StoredSubmission, { snapshot }: McpContext): Followed['sent'] {
  const slug = submission.venue && getVenue(snapshot, submission.venue)?.slug[submission.lang];
  const sent = { ...toSentFields(submission), ...(slug && { venue: slug }) };
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, text]) => {
      if (PRIVATE.includes(name)) return [];
      return [[name, FLAGS.includes(name) ? 'true' : text]];
    }),
  );
}

/** What is told at its token. */
export function toFollowed(
  stored: StoredSubmission,
  token: string,
  lang: Lang,
  context: McpContext,
): Followed {
  const { snapshot, now_ms, site } = context;
  const { as, detail } = findShown(stored, snapshot, now_ms);
  return {
    reference: stored.reference,
    state: toPublicState(stored.state),
    asks: stored.asks,
    published: stored.is_published,
    ...toStatusWords(stored, as, lang),
    reason: stored.reason,
    message: stored.message,
    dates: stored.dates,
    can: listSenderActs(stored, as),
    received_at: stored.received_at,
    status_url: toAbsolute(site.url, toStatusPath(token, lang)),
    event_url: detail && toAbsolute(site.url, toThingPath('event', detail.event.slug, lang)),
    sent: toTold(stored, context),
  };
}
