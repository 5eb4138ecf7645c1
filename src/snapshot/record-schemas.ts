// What the snapshot's `record` columns hold, parsed as they are read: a row is an edge too.
import * as v from 'valibot';
import { ORGANIZER_TYPES } from '../domain/organizer.ts';
import { NOTICE_TYPES, SEVERITIES } from '../domain/notice.ts';

const local = v.object({ es: v.string(), en: v.string() });
const text = v.nullable(v.string());
const number = v.nullable(v.number());

export const LocalTextSchema = local;

export const EventRecordSchema = v.object({
  id: v.string(),
  slug: local,
  title: local,
  summary: local,
  description: v.nullable(local),
  status: v.picklist(['published', 'cancelled', 'postponed']),
  category: text,
  tags: v.array(v.string()),
  zone: text,
  venue: text,
  location_note: v.nullable(local),
  price: v.object({
    is_free: v.boolean(),
    min: number,
    max: number,
    currency: v.string(),
    note: v.nullable(local),
  }),
  ticket_url: text,
  registration_url: text,
  age_restriction: v.nullable(local),
  languages: v.array(v.string()),
  organizer: text,
  image: v.nullable(v.object({ url: v.string(), alt: local })),
  verified: v.boolean(),
  confirm_note: v.nullable(local),
  source: v.picklist(['organizer', 'agent', 'editor']),
  source_url: text,
  updated_at: v.string(),
});

export const VenueRecordSchema = v.object({
  id: v.string(),
  slug: local,
  name: v.string(),
  description: v.nullable(local),
  address: text,
  locality: v.string(),
  postal_code: text,
  zone: text,
  lat: number,
  lng: number,
  website: text,
  phone: text,
  social: v.array(v.string()),
  capacity: number,
  accessibility: v.nullable(local),
  updated_at: v.string(),
});

export const OrganizerRecordSchema = v.object({
  id: v.string(),
  slug: local,
  name: v.string(),
  type: v.picklist(ORGANIZER_TYPES),
  verified: v.boolean(),
  description: v.nullable(local),
  website: text,
  social: v.array(v.string()),
  updated_at: v.string(),
});

export const NoticeRecordSchema = v.object({
  id: v.string(),
  type: v.picklist(NOTICE_TYPES),
  severity: v.picklist(SEVERITIES),
  title: local,
  body: local,
  zone: text,
  start_ms: v.number(),
  end_ms: number,
  source: text,
  source_url: text,
  updated_at: v.string(),
});

export const TaxonRecordSchema = v.object({
  key: v.string(),
  name: local,
  slug: local,
  description: v.nullable(local),
});
