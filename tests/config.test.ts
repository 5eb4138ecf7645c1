// The settings of mail and of server processes: each mistake named with what is accepted, and no secret.
import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { toSite } from '../src/domain/site.ts';

describe('mail', () => {
  const SMTP_URL = 'smtps://agenda:s3creto@mail.example';
  test('is sent by nobody unless it is set', () => {
    expect(readConfig({}).mail).toBeNull();
    expect(toSite(readConfig({}))).not.toHaveProperty('sends_mail');
  });
  test('has a server, whom it is from, and editors', () => {
    const env = {
      SMTP_URL,
      MAIL_FROM: 'agenda@hoy.example',
      MAIL_EDITORS: 'a@b.example, c@d.example',
    };
    expect(readConfig(env).mail).toEqual({
      ...{ smtp_url: SMTP_URL, from: 'agenda@hoy.example', hour: 8 },
      editors: ['a@b.example', 'c@d.example'],
    });
    expect(toSite(readConfig(env)).sends_mail).toBe(true);
  });
  test.each([
    [
      { SMTP_URL: 'agenda:s3creto@mail.example', MAIL_FROM: 'a@b.example' },
      /SMTP_URL: must be smtp:/,
    ],
    [{ SMTP_URL: 'https://s3creto@mail.example' }, /SMTP_URL: must be smtp:/],
    [{ SMTP_URL }, /MAIL_FROM: must say which address/],
    [{ SMTP_URL, MAIL_FROM: 'Agenda' }, /MAIL_FROM: must be one e-mail address/],
    [{ MAIL_FROM: 'a@b.example' }, /SMTP_URL: must be set where MAIL_FROM/],
    [{ MAIL_EDITORS: 'a@b.example' }, /SMTP_URL: must be set where/],
    [
      { SMTP_URL, MAIL_FROM: 'a@b.example', MAIL_EDITORS: 'a@b.example,ana' },
      /MAIL_EDITORS: must be e-mail addresses/,
    ],
    [{ MAIL_HOUR: '24' }, /MAIL_HOUR: must be 23 or less/],
  ])('%o is refused with what is accepted, and never with the password', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence);
    expect(() => readConfig(env)).not.toThrow(/s3creto/);
  });
});

describe('server processes', () => {
  test('are one that counts for itself, unless it is said', () => {
    expect(readConfig({})).toMatchObject({ servers: 1, valkey_url: null });
    const VALKEY_URL = 'rediss://hoy:s3creto@valkey.example:6379/2';
    expect(readConfig({ SERVERS: '16', VALKEY_URL })).toMatchObject({
      servers: 16,
      valkey_url: VALKEY_URL,
    });
  });
  test.each([
    [{ SERVERS: '0' }, /SERVERS: must be 1 or more/],
    [{ SERVERS: '17' }, /SERVERS: must be 16 or less/],
    [{ VALKEY_URL: 'valkey.example:6379' }, /VALKEY_URL: must be redis:/],
    [{ VALKEY_URL: 'https://s3creto@valkey.example' }, /VALKEY_URL: must be redis:/],
    [{ VALKEY_URL: 'redis://' }, /VALKEY_URL: must be redis:/],
  ])('%o is refused with what is accepted, and no secret', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence);
    expect(() => readConfig(env)).not.toThrow(/s3creto/);
  });
});
