// Settings: each invalid one is reported with the accepted values, without secrets.
import { expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { createSite } from '../src/domain/site.ts';

const SMTP_URL = 'smtps://agenda:s3creto@mail.example';
const VALKEY_URL = 'rediss://hoy:s3creto@valkey.example:6379/2';

test('without settings, runs one process without Valkey and email', () => {
  expect(loadConfig({})).toMatchObject({ mail: null, servers: 1, valkey_url: null });
  expect(createSite(loadConfig({}))).not.toHaveProperty('sends_mail');
  const config = loadConfig({
    ...{ SERVERS: '16', VALKEY_URL, SMTP_URL, MAIL_FROM: 'agenda@hoy.example' },
    MAIL_EDITORS: 'a@b.example, c@d.example',
  });
  expect(config).toMatchObject({ servers: 16, valkey_url: VALKEY_URL });
  expect(config.mail).toEqual({
    ...{ smtp_url: SMTP_URL, from: 'agenda@hoy.example', hour: 8 },
    editors: ['a@b.example', 'c@d.example'],
  });
  expect(createSite(config).sends_mail).toBe(true);
});

test.each([
  [{ SMTP_URL: 'agenda:s3creto@mail.example' }, /SMTP_URL: must be smtp:/],
  [{ SMTP_URL: 'https://s3creto@mail.example' }, /SMTP_URL: must be smtp:/],
  [{ SMTP_URL }, /MAIL_FROM: missing. Set the sender address/],
  [{ SMTP_URL, MAIL_FROM: 'Agenda' }, /MAIL_FROM: must be one e-mail address/],
  [{ MAIL_FROM: 'a@b.example' }, /SMTP_URL: missing, but MAIL_FROM/],
  [{ MAIL_EDITORS: 'a@b.example' }, /SMTP_URL: missing/],
  [
    { SMTP_URL, MAIL_FROM: 'a@b.example', MAIL_EDITORS: 'a@b.example,ana' },
    /MAIL_EDITORS: must be e-mail addresses/,
  ],
  [{ MAIL_HOUR: '24' }, /MAIL_HOUR: must be 23 or less/],
  [{ SERVERS: '0' }, /SERVERS: must be 1 or more/],
  [{ SERVERS: '17' }, /SERVERS: must be 16 or less/],
  [{ VALKEY_URL: 'valkey.example:6379' }, /VALKEY_URL: must be redis:/],
  [{ VALKEY_URL: 'https://s3creto@valkey.example' }, /VALKEY_URL: must be redis:/],
])('rejects %o with the accepted values, without secrets', (env, sentence) => {
  expect(() => loadConfig(env)).toThrow(sentence);
  expect(() => loadConfig(env)).not.toThrow(/s3creto/);
});
