// The mail server that letters are given to (SMTP), and what came of giving it one.
import { createTransport } from 'nodemailer';
import * as v from 'valibot';
import type { MailSettings } from '../config.ts';
import type { Email } from './email.ts';

interface Outgoing extends Email {
  readonly to: string;
  /** The same for the same letter however often it is tried, so that a reader's program shows one. */
  readonly message_id: string;
  readonly now_ms: number;
}

/**
 * `sent`; `later`: not now; `never`: refused for good; `down`: the server itself cannot be used, whatever
 * the letter. `code` is its answer, null where it gave none.
 */
export interface DeliveryResult {
  readonly kind: 'sent' | 'later' | 'never' | 'down';
  readonly code: number | null;
}

export type SmtpClient = ReturnType<typeof createSmtpClient>;

const TIMEOUT_MS = 20_000;
/** Somebody waits for the answer. */
const CHECK_MS = 5_000;
const isLocal = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host);

function toConnection(smtp_url: string) {
  const { protocol, hostname, port, username, password } = new URL(smtp_url);
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port === '' ? {} : { port: Number(port) }),
    secure: protocol === 'smtps:',
    // What is secret goes over no open line.
    requireTLS: username !== '' && protocol === 'smtp:' && !isLocal(hostname),
    ...(username === '' ? {} : { auth }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The server of the settings; letters come from `name`, answers go to `reply_to` where it is given. */
export function createSmtpClient(
  { smtp_url, from }: Pick<MailSettings, 'smtp_url' | 'from'>,
  name: string,
  reply_to: string | null,
) {
  const transport = createTransport(toConnection(smtp_url));
  return {
    deliver: async (letter: Outgoing): Promise<DeliveryResult> => {
      const { lang, subject, text, html, leave_url, is_one_click, to, message_id, now_ms } = letter;
      try {
        await transport.sendMail({
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
          ...(leave_url !== null && { list: { unsubscribe: leave_url } }),
          headers: {
            // No program answers it (RFC 3834).
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            'Content-Language': lang,
            ...(is_one_click && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
          },
        });
        return { kind: 'sent', code: null };
      } catch (thrown) {
        return toDelivery(v.parse(Refusal, thrown));
      }
    },
  };
}

/** Whether a server takes us, without sending anything: null, or its reason in words. */
export async function verifySmtpServer({
  smtp_url,
}: Pick<MailSettings, 'smtp_url'>): Promise<string | null> {
  const transport = createTransport({ ...toConnection(smtp_url), connectionTimeout: CHECK_MS });
  try {
    await transport.verify();
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } finally {
    transport.close();
  }
}

const Refusal = v.object({
  code: v.optional(v.string()),
  responseCode: v.optional(v.number()),
  command: v.optional(v.string()),
});

function toDelivery({
  code,
  responseCode,
  command,
}: v.InferOutput<typeof Refusal>): DeliveryResult {
  const answer = responseCode ?? null;
  const is_of_letter = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE';
  // 421: it closes, whatever it was asked.
  if (!is_of_letter || answer === 421) return { kind: 'down', code: answer };
  return { kind: answer === null || answer >= 500 ? 'never' : 'later', code: answer };
}
