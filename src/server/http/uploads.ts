// The door for uploaded pictures: so many at once, read as they come and made our own; and the
// private address at which whoever works on the form, and the desk, look at one.
import { holdPicture, renewPicture, toUploadId } from '../../desk/uploads.ts';
import type { PictureProblem } from '../../domain/submission/picture.ts';
import { decodePath } from '../../http/address.ts';
import type { HttpResponse } from '../../http/message.ts';
import {
  encodeResponse,
  type EncodedResponse,
  toRepresentation,
} from '../../http/representation.ts';
import { NO_STORE, toSecurityHeaders } from '../../http/response-headers.ts';
import { toUploadPath } from '../../i18n/paths.ts';
import type { Inbox } from '../../inbox/open.ts';
import { getUpload } from '../../inbox/uploads.ts';
import type { TakePicture } from '../../pictures/intake.ts';
import { PictureError } from '../../pictures/picture-error.ts';
import { type CountHourly, createHourly } from './hourly.ts';
import { toSentence } from './plain-response.ts';
import type { RequestContext } from './request-context.ts';

const ALLOW = 'GET, HEAD';
const WEBP_TYPE = 'image/webp';
const UPLOADS = toUploadPath('');
/** Files that are read at the same time, of all and of one address: 5 MB of memory each. */
const AT_ONCE = { all: 24, sender: 10 } as const;

/** Pictures that are made our own for one address in an hour. */
const AN_HOUR = 60;

/** The way in of a process. */
export interface UploadDoor {
  /** Counts a picture that is to be made our own. */
  readonly count: CountHourly;
  /** Lets one in, and gives what lets it out; null where too many are in. */
  readonly enter: (sender: string) => (() => void) | null;
  readonly take: TakePicture;
}

/** `an_hour` for each address. */
export function createUploadDoor(take: TakePicture, an_hour = AN_HOUR): UploadDoor {
  const inside = new Map<string, number>();
  let all = 0;
  return {
    take,
    count: createHourly(an_hour),
    enter: (sender) => {
      const own = inside.get(sender) ?? 0;
      if (all >= AT_ONCE.all || own >= AT_ONCE.sender) return null;
      all++;
      inside.set(sender, own + 1);
      return () => {
        all--;
        const left = (inside.get(sender) ?? 1) - 1;
        if (left > 0) inside.set(sender, left);
        else inside.delete(sender);
      };
    },
  };
}

interface PictureRefused {
  readonly problem: PictureProblem;
  /** When it works again, where that is known. */
  readonly retry_at_ms?: number;
}

/** Stores what was uploaded, made our own; gives its id, or what is wrong with it. */
export async function storeUpload(
  inbox: Inbox,
  door: UploadDoor,
  uploaded: Buffer,
  by: { readonly sender: string; readonly now_ms: number },
): Promise<{ readonly id: string } | PictureRefused> {
  const id = toUploadId(inbox, uploaded);
  if (renewPicture(inbox, id, by.now_ms)) return { id };
  const wait_ms = door.count(by.sender);
  if (wait_ms !== null) return { problem: 'too_many', retry_at_ms: by.now_ms + wait_ms };
  try {
    holdPicture(inbox, { id, ...(await door.take(uploaded)) }, by);
    return { id };
  } catch (thrown) {
    if (thrown instanceof PictureError) return { problem: thrown.problem ?? 'damaged' };
    throw thrown;
  }
}

/** Whether a path, as sent, is that of an uploaded picture. */
export const isUploadPath = (path: string): boolean =>
  decodePath(path)?.startsWith(UPLOADS) ?? false;

/** The response to any method on an uploaded picture: for whoever has its address, and for nobody to keep. */
export function handleUploadRequest(context: RequestContext): Promise<EncodedResponse> {
  return encodeResponse(context.request, { ...toRepresentation(findUpload(context)), tag: null });
}

function findUpload({ request, service }: RequestContext): HttpResponse {
  const { path, method } = request;
  const { site, inbox } = service;
  if (method !== 'GET' && method !== 'HEAD')
    return toSentence(405, 'error.method_not_allowed', path, site, { allow: ALLOW });
  const id = (decodePath(path) ?? '').slice(UPLOADS.length);
  const found = inbox && getUpload(inbox, id);
  if (!found) return toSentence(404, 'failure.not_found.text', path, site);
  return {
    status: 200,
    headers: {
      'content-type': WEBP_TYPE,
      'cache-control': NO_STORE,
      ...toSecurityHeaders(WEBP_TYPE, site.url),
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-robots-tag': 'noindex, nofollow, noarchive',
    },
    body: found.bytes,
  };
}
