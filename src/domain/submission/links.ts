// Submitted links: normalize addresses without a scheme and names on social networks, and detect
// file names, misleading links, and links to video calls.

/** Social networks by the names that senders use, with the URL of a page there. */
const NETWORKS: readonly (readonly [name_pattern: RegExp, page_url: string])[] = [
  [/^(instagram|insta|ig)$/, 'https://www.instagram.com/{name}/'],
  [/^(facebook|face|fb)$/, 'https://www.facebook.com/{name}'],
  [/^tiktok$/, 'https://www.tiktok.com/@{name}'],
  [/^(youtube|yt)$/, 'https://www.youtube.com/@{name}'],
  [/^(x|twitter)$/, 'https://x.com/{name}'],
  [/^threads$/, 'https://www.threads.net/@{name}'],
];

/** File extensions that are not top-level domains. */
const FILE_NAME_PATTERN =
  /\.(jpe?g|png|gif|webp|hei[cf]|avif|bmp|tiff?|svg|pdf|docx?|pptx?|xlsx?|mp[34]|m4[av]|wav|txt|html?)\.?$/i;

/**
 * Converts `@colectivo`, `fb: @colectivo` or `tiktok/colectivo` to the address of that page. A name
 * without a network is on Instagram.
 * @returns null if the text is not a name on a social network.
 */
function parseHandle(text: string): string | null {
  const [, prefix = '', at_sign, name = ''] =
    /^(?:([a-z]+)\s*[:/ ]\s*)?(@?)([\p{L}\p{N}_][\w.-]{1,59})$/iu.exec(text) ?? [];
  const network = prefix === '' && at_sign === '@' ? 'instagram' : prefix.toLowerCase();
  const [, page_url] = NETWORKS.find(([name_pattern]) => name_pattern.test(network)) ?? [];
  return page_url !== undefined && /^[\w.-]+$/.test(name) ? page_url.replace('{name}', name) : null;
}

/** Converts `colectivo.mx/fiesta` and `@colectivo` to addresses; other texts are unchanged. */
export function normalizeUrl(text: string): string {
  const handle = parseHandle(text);
  if (handle !== null) return handle;
  return /^[\w-]+(\.[\w-]+)+([/?#]|$)/.test(text) && !isFileName(text) ? `https://${text}` : text;
}

/** Tests for a file name instead of a site: `IMG_2034.jpg`, with or without `https://`. */
export const isFileName = (text: string): boolean =>
  FILE_NAME_PATTERN.test(text.replace(/^https?:\/\//i, '').replace(/[/?#:].*$/, ''));

/**
 * Tests whether a host name has letters that look like others (Cyrillic, Greek, or Latin ones
 * unused in local host names), or follows a name with an @ or a backslash, which only looks like
 * the target.
 */
function isMisleading(link: string): boolean {
  const [site = ''] = link.replace(/^https?:\/\//i, '').split(/[/?#]/);
  return site.includes('@') || /(^|\.)xn--/i.test(site) || /[^a-záéíóúüñç\d.:-]/iu.test(site);
}

/** Tests whether any text has a link to another site than it seems. */
export const hasMisleadingLink = (texts: readonly (string | null)[]): boolean =>
  texts.some((text) =>
    [...(text ?? '').matchAll(/https?:\/\/[^\s<>"]+/gi)].some(([link]) => isMisleading(link)),
  );

/** Addresses of video calls, and the numbers with which one joins them. */
const JOIN_PATTERNS = [
  /\b(?:zoom\.us\/(?:j|my|w|wc|s)\/|meet\.google\.com\/|tel\.meet\/|teams\.(?:microsoft|live)\.com\/(?:l|meet)\/|webex\.com\/(?:meet|join|\S{0,200}j\.php)|meet\.jit\.si\/|whereby\.com\/)[^\s<>"]{0,200}/gi,
  /\b(?:meeting id|id de (?:la )?reuni[oó]n|passcode|access code|c[oó]digo de acceso)\s{0,3}:\s{0,3}\d[\d ]{2,20}/gi,
];

/** Lists the links and numbers of texts that let visitors join a video call. */
export function listJoinLinks(texts: readonly (string | undefined)[]): readonly string[] {
  const text = texts.join('\n');
  const links = JOIN_PATTERNS.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ([link]) => link.trim()),
  );
  return [...new Set(links)].sort();
}
