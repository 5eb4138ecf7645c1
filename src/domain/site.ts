// What the service is called and where it lives; passed down to everything that writes a link.
import { TOWN } from '../town.ts';

export interface Site {
  /** `{base_url}`, without a slash at its end. */
  readonly url: string;
  readonly name: string;
  readonly contact_email: string | null;
  /** Whether senders are written to; absent where nothing is mailed. */
  readonly sends_mail?: true;
}

export interface SiteSettings {
  readonly site_url: string;
  readonly site_name: string | null;
  readonly contact_email: string | null;
  readonly mail: object | null;
}

export const createSite = ({ site_url, site_name, contact_email, mail }: SiteSettings): Site => ({
  url: site_url,
  name: site_name ?? TOWN.site_name,
  contact_email: contact_email ?? TOWN.contact_email ?? null,
  ...(mail && { sends_mail: true }),
});
