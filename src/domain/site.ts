// What the service is called and where it lives; passed down to everything that writes a link.

export interface Site {
  /** `{base_url}`, without a slash at its end. */
  readonly url: string;
  readonly name: string;
  readonly contact_email: string | null;
  /** Whether senders are written to; absent where nothing is mailed. */
  readonly sends_mail?: true;
  /** Where a map with streets comes from, for a button that opens it; absent where there is none. */
  readonly tiles?: Tiles;
}

/** The source of a map with streets. */
export interface Tiles {
  readonly url: string;
  /** Whether the address is that of single tiles, else of a style. */
  readonly is_raster: boolean;
  readonly attribution: string;
  /** The host that a reader's browser will ask. */
  readonly host: string;
  /** Origins that the map loads from, for the policy of its pages. */
  readonly origins: readonly string[];
}

/** The settings that a site is made of (config.ts). */
export interface SiteSettings {
  readonly site_url: string;
  readonly site_name: string;
  readonly contact_email: string | null;
  readonly tiles: {
    readonly url: string;
    readonly attribution: string;
    readonly allow: readonly string[];
  } | null;
  readonly mail: object | null;
}

function toTiles({ url, attribution, allow }: NonNullable<SiteSettings['tiles']>): Tiles {
  const { origin, host } = new URL(url);
  return {
    ...{ url, attribution, host },
    is_raster: url.includes('{z}'),
    origins: [...new Set([origin, ...allow])],
  };
}

/** The site of the settings. */
export const toSite = ({
  site_url,
  site_name,
  contact_email,
  tiles,
  mail,
}: SiteSettings): Site => ({
  url: site_url,
  name: site_name,
  contact_email,
  ...(mail && { sends_mail: true }),
  ...(tiles && { tiles: toTiles(tiles) }),
});
