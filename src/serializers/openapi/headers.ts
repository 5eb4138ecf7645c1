// The response headers that mean something to a caller, for `#/components/headers`.
import type { Json } from './schemas.ts';

const seconds = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } });
const text = (description: string): Json => ({ description, schema: { type: 'string' } });

export const HEADERS: Json = {
  ETag: text('Strong. Send it back in If-None-Match and get 304 while nothing has changed.'),
  Link: text('Where more events match than `limit`: the address of the next page, rel="next" (RFC 8288).'),
  'RateLimit-Limit': seconds('Requests allowed in a minute.'),
  'RateLimit-Remaining': seconds('Requests left in this minute.'),
  'RateLimit-Reset': seconds('Seconds until the allowance is full again.'),
  'Retry-After': seconds('Seconds to wait before asking again.'),
  Allow: text('The methods that are answered.'),
  'WWW-Authenticate': text('How to authenticate: ApiKey, in the header x-api-key.'),
};
