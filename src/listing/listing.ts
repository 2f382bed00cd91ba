/** The types of a valid listing. Field names are those of the API; nothing here does I/O. */

export type AspectRatio = '1920:1080' | '1080:1920';

export interface Listing {
  readonly id: string;
  readonly assets: readonly Asset[];
  readonly agents: readonly Agent[];
  readonly address?: Address;
  readonly bedrooms?: number | null;
  readonly bathrooms?: number | null;
  readonly half_bathrooms?: number | null;
  readonly interior_square_footage?: number | null;
}

export interface Asset {
  /** Exactly as the client sent it; on the command line also a `file:` URL or a path. */
  readonly url: string;
  readonly type?: 'image';
  /** A line of text shown with the photo; the data layer `caption_NN` wins over it. */
  readonly caption?: string;
  /** What was changed, as viewers read it; `true` for the usual label. Absent or false: an unaltered photo. */
  readonly altered?: string | boolean;
  /** The unaltered photo, addressed as `url` is; only beside `altered`. */
  readonly original?: string;
  /** Default `photo`. */
  readonly kind?: 'photo' | 'floor_plan';
  /** A point of the upright photo that stays in view. Absent: it is guessed. */
  readonly focus?: Focus;
  /** `high`: alone and twice as long. `low`: with others. Default `normal`. */
  readonly emphasis?: 'normal' | 'high' | 'low';
}

/** Shares of a photo's width and height, 0 to 1 from its upper left corner. */
export interface Focus {
  readonly x: number;
  readonly y: number;
}

export interface Agent {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly picture?: string | null;
  readonly designation?: string | null;
  readonly phones?: readonly Phone[];
  readonly emails?: readonly Email[];
  readonly licenses?: readonly License[];
  readonly video_options?: VideoOptions;
  readonly offices?: readonly Office[];
}

export interface Address {
  readonly street: string;
  readonly state?: string | null;
  readonly city?: string | null;
  readonly postal_code?: string | null;
}

export interface Phone {
  readonly number: string;
  readonly type?: 'office' | 'mobile' | 'direct' | null;
  readonly region?: string | null;
}

export interface Email {
  readonly address: string;
}

export interface License {
  readonly number: string;
  readonly state: string;
}

export interface Office {
  readonly name?: string | null;
  readonly address?: Address | null;
  readonly phone_number?: Phone | null;
}

export interface VideoOptions {
  readonly ratio?: AspectRatio;
  readonly template_id?: string | null;
  readonly template_data?: Readonly<Record<string, string>>;
  readonly create_preview?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface Violation {
  /** `"body"`, `"query"` or `"path"`, then keys and array indexes. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** A finding that is not an error, such as an unknown property. */
export interface ListingWarning {
  readonly loc: readonly (string | number)[];
  readonly message: string;
  readonly suggestion?: string;
  /** Of warnings about what a listing says. */
  readonly code?: 'fair_housing' | 'coming_soon';
}
