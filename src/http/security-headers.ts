// What every answer says about safety and use: no scripts, no frames, no training (interface 1,
// usage terms 4).

const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' https: data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** What is no page loads nothing at all. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

const ALWAYS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy':
    'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  // contentsignals.org, and draft-ietf-aipref-attach: reading and citing are welcome, training is
  // not.
  'content-signal': 'ai-train=no, search=yes, ai-input=yes',
  'content-usage': 'train-ai=n, search=y',
};

/** A year; only said where the site lives on https (RFC 6797). */
const HSTS = 'max-age=31536000';

/** The headers for a content type; `site_url` decides about Strict-Transport-Security. */
export function toSecurityHeaders(
  content_type: string,
  site_url: string,
): Readonly<Record<string, string>> {
  return {
    ...ALWAYS,
    'content-security-policy': content_type.startsWith('text/html') ? PAGE_POLICY : DATA_POLICY,
    ...(site_url.startsWith('https:') ? { 'strict-transport-security': HSTS } : {}),
  };
}
