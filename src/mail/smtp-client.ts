// SMTP client: delivers emails to the configured mail server and classifies its replies.
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import * as v from 'valibot';
import type { MailSettings } from '../config.ts';
import type { Email } from './email.ts';

interface OutgoingEmail extends Email {
  readonly to: string;
  /** Message-ID: the same for each attempt, so that mail programs show the email once. */
  readonly message_id: string;
  readonly now_ms: number;
}

export interface DeliveryResult {
  /** `later`: temporary failure; `never`: permanent failure; `down`: the server cannot be used for any email. */
  readonly kind: 'sent' | 'later' | 'never' | 'down';
  /** SMTP reply code; null if there was no reply. */
  readonly code: number | null;
}

export type SmtpClient = ReturnType<typeof createSmtpClient>;

/** Longest silence of the server. */
const TIMEOUT_MS = 20_000;
/** Longest delivery of an email, even if the server sends a byte now and then. */
const DELIVERY_TIMEOUT_MS = 120_000;
/** Short, because the operator waits for the result. */
const VERIFY_TIMEOUT_MS = 5_000;
const isLocal = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);

function parseConnection(smtp_url: string) {
  const { protocol, hostname, port, username, password } = new URL(smtp_url);
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port === '' ? {} : { port: Number(port) }),
    secure: protocol === 'smtps:',
    // Never send credentials unencrypted, except to this machine.
    requireTLS: username !== '' && protocol === 'smtp:' && !isLocal(hostname),
    ...(username === '' ? {} : { auth }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Rejects like a failed connection if the work takes too long. The connection is left to itself. */
async function withTimeout<T>(work: Promise<T>, timeout_ms: number): Promise<T> {
  const timer = new AbortController();
  const late = sleep(timeout_ms, null, { signal: timer.signal }).then(() => {
    throw Object.assign(new Error(`no end after ${timeout_ms / 1000} s`), { code: 'ETIMEDOUT' });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
  }
}

/** Creates the client of the configured server. Emails have the sender name `name` and, if set, `reply_to`. */
export function createSmtpClient(
  { smtp_url, from }: Pick<MailSettings, 'smtp_url' | 'from'>,
  name: string,
  reply_to: string | null,
  timeout_ms = DELIVERY_TIMEOUT_MS,
) {
  const transport = createTransport(parseConnection(smtp_url));
  return {
    deliver: async (email: OutgoingEmail): Promise<DeliveryResult> => {
      const { lang, subject, text, html, unsubscribe_url, is_one_click, to, message_id, now_ms } =
        email;
      try {
        const delivery = transport.sendMail({
          from: { name, address: from },
          to: { name: '', address: to },
          envelope: { from, to: [to] },
          ...(reply_to !== null && { replyTo: { name, address: reply_to } }),
          subject,
          text,
          ...(html && { html }),
          textEncoding: 'quoted-printable',
          messageId: message_id,
          date: new Date(now_ms),
          ...(unsubscribe_url !== null && { list: { unsubscribe: unsubscribe_url } }),
          headers: {
            // Prevents automatic replies (RFC 3834).
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            'Content-Language': lang,
            ...(is_one_click && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
          },
        });
        await withTimeout(delivery, timeout_ms);
        return { kind: 'sent', code: null };
      } catch (thrown) {
        return classifyError(v.parse(SmtpErrorSchema, thrown));
      }
    },
  };
}

/** Tests connection and login without sending anything. Returns null on success, otherwise the error message. */
export async function verifySmtpServer({
  smtp_url,
}: Pick<MailSettings, 'smtp_url'>): Promise<string | null> {
  const transport = createTransport({
    ...parseConnection(smtp_url),
    connectionTimeout: VERIFY_TIMEOUT_MS,
  });
  try {
    await withTimeout(transport.verify(), 4 * VERIFY_TIMEOUT_MS);
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } finally {
    transport.close();
  }
}

const SmtpErrorSchema = v.object({
  code: v.optional(v.string()),
  responseCode: v.optional(v.number()),
  command: v.optional(v.string()),
});

function classifyError({
  code,
  responseCode,
  command,
}: v.InferOutput<typeof SmtpErrorSchema>): DeliveryResult {
  const reply_code = responseCode ?? null;
  const is_about_email = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE';
  // 421: the server is closing the connection.
  if (!is_about_email || reply_code === 421) return { kind: 'down', code: reply_code };
  return { kind: reply_code === null || reply_code >= 500 ? 'never' : 'later', code: reply_code };
}
