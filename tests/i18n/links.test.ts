// Addresses outside the site.
import { expect, test } from 'vitest';
import { toWhatsAppUrl } from '../../src/i18n/links.ts';

test('a text for WhatsApp survives as it was written, whatever stands in it', () => {
  const text = 'Jazz & café: "noche" #1\nhttps://agenda.example/eventos/jazz?x=1&y=2';
  const url = new URL(toWhatsAppUrl(text));
  expect([url.origin, url.pathname]).toEqual(['https://wa.me', '/']);
  expect([...url.searchParams]).toEqual([['text', text]]);
});
