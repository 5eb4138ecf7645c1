// What sources need to know of the town to show or approve a submission.
import { toCancunDay } from '../../domain/cancun-time.ts';
import type { StoredSubmission } from '../../domain/submission/state.ts';
import type { Known } from '../../desk/preview.ts';
import type { Approval } from '../../desk/to-publication.ts';
import { getOrganizer } from '../../snapshot/get-organizer.ts';
import { getVenue } from '../../snapshot/get-venue.ts';
import { listOrganizers } from '../../snapshot/list-pages.ts';
import type { Snapshot } from '../../snapshot/open.ts';

export const toKnown = (snapshot: Snapshot): Known => ({
  taxonomy: snapshot.taxonomy,
  getVenue: (id) => getVenue(snapshot, id),
  getOrganizer: (id) => getOrganizer(snapshot, id),
});

/** For a submission that is not kept yet, the reference is only shown to nobody. */
export const toApproval = (
  snapshot: Snapshot,
  now_ms: number,
  stored: Pick<StoredSubmission, 'reference' | 'channel'> = {
    reference: 'preview',
    channel: 'form',
  },
): Approval => ({
  reference: stored.reference,
  channel: stored.channel,
  today: toCancunDay(now_ms).toString(),
  organizers: listOrganizers(snapshot),
});
