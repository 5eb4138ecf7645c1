// The settings of the map with streets: off unless set, and each mistake named with what is accepted.
import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { toSite } from '../src/domain/site.ts';

const TILES = 'https://tiles.example/{z}/{x}/{y}.png';
const SIGNED = { TILES_URL: TILES, TILES_ATTRIBUTION: '© Somebody' };

describe('the map with streets', () => {
  test('is none unless its tiles are set', () => {
    expect(readConfig({}).tiles).toBeNull();
    expect(toSite(readConfig({}))).not.toHaveProperty('tiles');
  });
  test('comes from tiles, or from a style that may load from elsewhere', () => {
    expect(toSite(readConfig(SIGNED)).tiles).toEqual({
      ...{ url: TILES, is_raster: true, attribution: '© Somebody', host: 'tiles.example' },
      origins: ['https://tiles.example'],
    });
    const style = {
      TILES_URL: 'https://maps.example/style.json?key=1',
      TILES_ALLOW: 'https://a.example,https://b.example:8443',
    };
    expect(toSite(readConfig(style)).tiles).toMatchObject({
      is_raster: false,
      origins: ['https://maps.example', 'https://a.example', 'https://b.example:8443'],
    });
  });
  test.each([
    [{ ...SIGNED, TILES_URL: 'tiles.example' }, /TILES_URL: .*begins with https:/],
    [{ ...SIGNED, TILES_URL: 'ftp://t.example/{z}/{x}/{y}' }, /TILES_URL: .*begins with https:/],
    [
      { ...SIGNED, TILES_URL: 'https://t.example/{z}/{x}' },
      /TILES_URL: must have \{z\}, \{x\} and/,
    ],
    [{ TILES_URL: TILES }, /TILES_ATTRIBUTION: must say whose map it is/],
    [{ TILES_ATTRIBUTION: '© Somebody' }, /TILES_URL: must be set where/],
    [{ ...SIGNED, TILES_ALLOW: 'https://a.example/path' }, /TILES_ALLOW: must be origins/],
    [{ ...SIGNED, TILES_ALLOW: 'a.example' }, /TILES_ALLOW: must be origins/],
    [
      { ...SIGNED, TILES_URL: 'http://t.example/{z}/{x}/{y}', SITE_URL: 'https://hoy.example' },
      /TILES_URL: must begin with https:\/\/ where SITE_URL does/,
    ],
  ])('%o is refused with what is accepted', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence);
  });
});

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
