// The wire form of each operation's whole answer: `{data, meta}` (interface 2, Envelope).
import * as v from 'valibot';
import { EventDetailSchema, PublicEventSchema } from './event.ts';
import { ListMetaSchema, MetaSchema, NoticesMetaSchema } from './meta.ts';
import { PublicNoticeSchema } from './notice.ts';
import { PublicOrganizerSchema } from './organizer.ts';
import { PublicVenueSchema } from './venue.ts';

export const EventListAnswer = v.strictObject({
  data: v.array(PublicEventSchema),
  meta: ListMetaSchema,
});
export const EventAnswer = v.strictObject({ data: EventDetailSchema, meta: MetaSchema });
export const VenueAnswer = v.strictObject({ data: PublicVenueSchema, meta: MetaSchema });
export const OrganizerAnswer = v.strictObject({ data: PublicOrganizerSchema, meta: MetaSchema });
export const NoticeListAnswer = v.strictObject({
  data: v.array(PublicNoticeSchema),
  meta: NoticesMetaSchema,
});
