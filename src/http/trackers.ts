// The parameters that programs add to links to learn where a visitor came from: they ask nothing of
// a page, so they may stand in any address.

const TRACKERS: ReadonlySet<string> = new Set([
  ...['fbclid', 'gclid', 'gbraid', 'wbraid', 'dclid', 'msclkid', 'twclid', 'yclid', 'ttclid'],
  ...['igsh', 'igshid', 'mc_cid', 'mc_eid', 'srsltid', '_ga', '_gl', 'ref', 'ref_src'],
]);

const isTracker = (name: string): boolean => name.startsWith('utm_') || TRACKERS.has(name);

/** A query as sent, without what only says where its reader came from. */
export const withoutTrackers = (query: string): string =>
  query
    .split('&')
    .filter((pair) => pair !== '' && !isTracker(pair.split('=', 1)[0] ?? ''))
    .join('&');
