// The style that stands in every page, so that its first screen waits for no other file, and the
// hashes by which the content security policy lets it in. The style sheets are the one source.
import { createHash } from 'node:crypto';
import font_url from '@fontsource/big-shoulders-display/files/big-shoulders-display-latin-800-normal.woff2?url';
import days from './first/days.css?inline';
import event from './first/event.css?inline';
import form from './first/form.css?inline';
import notices from './first/notices.css?inline';
import place from './first/place.css?inline';
import submit from './first/submit.css?inline';
import text from './first/text.css?inline';
import rest_url from './rest.css?url';

const STYLES = { days, notices, event, place, form, submit, text } as const;

/** What a page's first screen looks like; each look carries the style of its own and no other. */
export type Look = keyof typeof STYLES;

/** The text of the style element of a look, to be written as it is. */
export const toFirstStyle = (look: Look): string => STYLES[look];

/** Address of what comes after the first screen. */
export const REST_URL: string = rest_url;
/** Address of the display font, which the first screen uses. */
export const FONT_URL: string = font_url;

/** Sources for `style-src` (CSP3, 8.3): the hash of each style that stands in a page. */
export const STYLE_HASHES: readonly string[] = Object.values(STYLES).map(
  (style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
);
