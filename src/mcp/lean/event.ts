// An event in the structured half of an answer: REST's fields, without those that the text beside
// it does not tell and those that hold nothing (contract 13.9, 13.10).
import type { EventDetailWire, Occurrence, PublicEvent } from '../../serializers/wire/event.ts';
import { withoutEmpty } from './without-empty.ts';

/** Fields of REST that are there even where they hold nothing (contract 4.5). */
const ALWAYS = ['tags', 'occurrences'];

/** A date without what is as one would think: that its hours are known. */
function toLeanOccurrence({
  time_known,
  end_known,
  certainty: _as_the_event,
  ...occurrence
}: Occurrence) {
  return {
    ...occurrence,
    ...(time_known === false && { time_known }),
    ...(end_known === false && { end_known }),
  };
}

/** Money only where there is some; how well it is known where that is not well. */
function toLeanPrice({ visitors, certainty, ...price }: PublicEvent['price']) {
  return {
    ...price,
    ...(visitors && visitors.length > 0 && { visitors }),
    ...(certainty === 'last_known' && { certainty }),
  };
}

/** An event of a list: what its line says; all else is asked for by detalle_evento. */
export function toListedEvent(event: PublicEvent): unknown {
  const {
    venue,
    price,
    next,
    more_dates,
    organizer: _organizer,
    image: _image,
    languages: _languages,
    indoor: _indoor,
    ticket_url: _tickets,
    registration_url: _registration,
    verified: _verified,
    source: _source,
    source_url: _source_url,
    source_published: _published,
    source_checked: _checked,
    updated_at: _updated,
    ...told
  } = event;
  const { visitors: _visitors, ...amount } = toLeanPrice(price);
  return withoutEmpty(
    {
      ...told,
      venue: venue && {
        name: venue.name,
        ...(told.distance_km !== undefined &&
          venue.coordinates === 'zone' && { coordinates: 'zone' }),
      },
      price: amount,
      next: next && toLeanOccurrence(next),
      more_dates: more_dates === 0 ? null : more_dates,
    },
    ALWAYS,
  );
}

/** An event by itself; its dates are those that were asked for, its source stands where nobody knows where one books. */
export function toDetailedEvent(detail: EventDetailWire): unknown {
  const {
    venue,
    price,
    next,
    occurrences,
    organizer,
    indoor: _indoor,
    verified: _verified,
    source: _source,
    source_url,
    updated_at: _updated,
    ...told
  } = detail;
  const { zone_lat: _lat, zone_lng: _lng, coordinates, lat, lng, ...place } = venue ?? {};
  return withoutEmpty(
    {
      ...told,
      ...(!told.ticket_url && !told.registration_url && { source_url }),
      venue: venue && { ...place, ...(coordinates === 'venue' && { lat, lng }) },
      price: toLeanPrice(price),
      organizer: organizer && {
        name: organizer.name,
        url: organizer.url,
        ...(organizer.verified && { verified: true }),
      },
      next: next && toLeanOccurrence(next),
      occurrences: occurrences.map(toLeanOccurrence),
    },
    ALWAYS,
  );
}
