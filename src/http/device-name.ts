// A device in two words, from what its browser says of itself (User-Agent, RFC 9110, 10.1.5): enough
// for somebody to know their own, and nothing more is kept.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
];
/** Longer ones are not read. */
const MAX_AGENT = 512;

const find = (names: readonly (readonly [RegExp, string])[], agent: string): string[] =>
  names
    .filter(([pattern]) => pattern.test(agent))
    .map(([, name]) => name)
    .slice(0, 1);

/** `Firefox, Linux`; empty where neither is known. */
export function toDeviceName(agent: string | undefined): string {
  const text = (agent ?? '').slice(0, MAX_AGENT);
  return [...find(BROWSERS, text), ...find(SYSTEMS, text)].join(', ');
}
