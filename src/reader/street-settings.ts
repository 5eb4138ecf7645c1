// What the map with streets is told by its page: plain values, in one language.

/** Degrees, WGS 84: longitude, latitude. */
export type LngLat = readonly [number, number];

export interface StreetSettings {
  /** Of single tiles with {z}, {x} and {y}, or of a style in JSON. */
  readonly url: string;
  readonly is_raster: boolean;
  /** Whose map it is, plain text; empty where the style says it. */
  readonly attribution: string;
  /** Address of today's places, as GeoJSON. */
  readonly places: string;
  readonly center: LngLat;
  readonly zoom: number;
  /** The place that the page is about; null where it is about none. */
  readonly spot: { readonly name: string; readonly at: LngLat } | null;
  readonly words: {
    readonly title: string;
    readonly close: string;
    /** Said where the tiles do not come. */
    readonly failed: string;
  };
  /** Words of MapLibre's controls, by its keys. */
  readonly controls: Readonly<Record<string, string>>;
}
