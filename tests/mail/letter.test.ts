// Strangers' words in letters: quoted, no link, never structure or a header (contract 14.24).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quoteLine, quoteText, unlink, writeLetter } from '../../src/mail/letter.ts';
import { MAIL_SITE } from '../fixtures/mailer.ts';

const OURS = 'Hola:|Nuestro.|Quien lo revisó dice:|-- |Hoy Cancún · https://hoy.example';

describe('what a stranger wrote', () => {
  test.each([
    ['Ve a https://malo.example/x?a=1', 'Ve a https: //malo[.]example/x?a=1'],
    ['www.malo.example', 'www[.]malo[.]example'],
    ['escribe a yo@malo.example', 'escribe a yo @ malo[.]example'],
    ['a las 9.30, 1.500 pesos. Fin.', 'a las 9.30, 1.500 pesos. Fin.'],
  ])('%s leads nowhere', (given, shown) => {
    expect(unlink(given)).toBe(shown);
  });

  test('is one quoted line, or all quoted lines', () => {
    expect(quoteLine('Uno\nSubject: dos')).toBe('> Uno Subject: dos');
    expect(quoteText('Uno\n-- \nDos')).toBe('> Uno\n> --\n> Dos');
    expect(quoteLine('x'.repeat(500)).length).toBeLessThan(130);
  });

  test('whatever it is, stands in no subject and begins no line of ours', () => {
    const unit = fc.constantFrom(...'\r\n\u2028\u0085\0\t>-: @./añ\u202e😀');
    const words = fc.string({ unit, maxLength: 40 });
    const strange = fc.sample(fc.tuple(words, words), 200).filter(([title, reason]) => {
      const item = {
        topic: 'rejected',
        to: 'a@b.example',
        lang: 'es',
        ...{ reference: 'HC-7K3M9Q', title, start: '2026-12-05T20:00', text: 'Nuestro.' },
        words: { by: 'status.reason', text: `.${reason}` },
        ...{ page_url: null, link: null, leave_url: null, events: null, tells: [] },
      } as const;
      const { subject, text } = writeLetter([item], MAIL_SITE);
      const ours = text.split(/\r|\n/).filter((line) => line !== '' && !line.startsWith('> '));
      return subject !== 'Sobre tu envío (HC-7K3M9Q)' || ours.join('|') !== OURS;
    });
    expect(strange).toEqual([]);
  });
});
