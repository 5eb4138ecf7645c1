// The addresses that put a calendar feed into a person's calendar program.

/**
 * `webcal:`, which Apple's and most other programs subscribe to. `feed_url` is absolute, as in all
 * of these.
 */
export const toWebcalUrl = (feed_url: string): string => feed_url.replace(/^https?:/, 'webcal:');

/** Google Calendar subscribes to what `cid` names; it wants the webcal form. */
export const toGoogleUrl = (feed_url: string): string =>
  `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(toWebcalUrl(feed_url))}`;

/** Outlook on the web; `name` is what the calendar will be called there. */
export const toOutlookUrl = (feed_url: string, name: string): string =>
  `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(feed_url)}&name=${encodeURIComponent(name)}`;
