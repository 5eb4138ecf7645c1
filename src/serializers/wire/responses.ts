// The wire form of each operation's whole response: `{data, meta}` (contract 3.1).
import * as v from 'valibot';
import { PublicChangeSchema } from './change.ts';
import { DayDetailSchema, PublicNoticeSchema } from './day.ts';
import { EventDetailSchema, PublicEventSchema } from './event.ts';
import {
  ChangesMetaSchema,
  ListMetaSchema,
  MetaSchema,
  NoticesMetaSchema,
  PlacesMetaSchema,
} from './meta.ts';
import {
  ListedCategorySchema,
  ListedOrganizerSchema,
  ListedVenueSchema,
  ListedZoneSchema,
  PublicOrganizerSchema,
  PublicVenueSchema,
} from './places.ts';

export const EventListResponse = v.strictObject({
  data: v.array(PublicEventSchema),
  meta: ListMetaSchema,
});
export const EventResponse = v.strictObject({ data: EventDetailSchema, meta: MetaSchema });
export const VenueResponse = v.strictObject({ data: PublicVenueSchema, meta: MetaSchema });
export const OrganizerResponse = v.strictObject({ data: PublicOrganizerSchema, meta: MetaSchema });
export const NoticeListResponse = v.strictObject({
  data: v.array(PublicNoticeSchema),
  meta: NoticesMetaSchema,
});
const toPlaceList = <T extends v.GenericSchema>(item: T) =>
  v.strictObject({ data: v.array(item), meta: PlacesMetaSchema });
export const VenueListResponse = toPlaceList(ListedVenueSchema);
export const OrganizerListResponse = toPlaceList(ListedOrganizerSchema);
export const CategoryListResponse = toPlaceList(ListedCategorySchema);
export const ZoneListResponse = toPlaceList(ListedZoneSchema);
export const DayResponse = v.strictObject({ data: DayDetailSchema, meta: MetaSchema });
export const ChangeListResponse = v.strictObject({
  data: v.array(PublicChangeSchema),
  meta: ChangesMetaSchema,
});
