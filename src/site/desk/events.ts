// Published events on the desk, and anything else that can be edited: found by a word.
import { floorToMinute } from '../../domain/cancun-time.ts';
import { toCleanLine } from '../../domain/clean-text.ts';
import { toOpenFilter } from '../../domain/query/event-query.ts';
import { toWords } from '../../domain/folding.ts';
import { findEvents } from '../../snapshot/find-events.ts';
import { findThings } from './find-things.ts';
import { type DeskRequest, type ScreenResult, toScreen } from './screens.ts';

const MAX_SHOWN = 100;

/** Upcoming events, by a word of theirs. */
export async function showEvents(request: DeskRequest): Promise<ScreenResult> {
  const { state, visit } = request;
  const q = toCleanLine(visit.query.q ?? '').slice(0, 100);
  const words = toWords(q);
  const filter = {
    ...toOpenFilter(floorToMinute(state.now_ms), MAX_SHOWN),
    words: words.length > 0 ? words : null,
  };
  const { cards, next } = findEvents(state.snapshot, filter, visit.lang);
  return toScreen({
    screen: 'events',
    q,
    events: cards.map((card) => card.event),
    is_cut: next !== null,
    things: await findThings(request, q),
  });
}
