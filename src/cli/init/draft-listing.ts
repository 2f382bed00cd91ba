/** Makes a listing from the answers. */
import type { AspectRatio, Listing } from '../../listing/listing.ts';
import { toAssetUrl } from '../../video/photos/asset-url.ts';
import { DEFAULT_TEMPLATE_ID } from '../../video/plan/agent-options.ts';

/** The answers about one agent; null is not answered. */
export interface AgentAnswers {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly designation: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly license: { readonly state: string; readonly number: string } | null;
  readonly office: string | null;
  /** Absolute path or URL. */
  readonly picture: string | null;
}

/** All answers of `init`. */
export interface ListingAnswers {
  readonly id: string;
  /** Absolute paths, in the order of the video. */
  readonly photos: readonly string[];
  /** By the photo. */
  readonly captions: ReadonlyMap<string, string>;
  readonly street: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly postalCode: string | null;
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  readonly halfBathrooms: number | null;
  readonly squareFeet: number | null;
  /** Digits or words. */
  readonly price: string | null;
  readonly status: string | null;
  readonly openHouse: string | null;
  readonly headline: string | null;
  readonly link: string | null;
  readonly agents: readonly AgentAnswers[];
  readonly template: string | null;
  /** Absolute path or URL. */
  readonly logo: string | null;
  readonly ratio: AspectRatio;
  readonly preview: boolean;
}

/**
 * The listing with the answers and nothing else.
 *
 * @param folder - Absolute folder of the listing file: photos below it are named relative to it.
 */
export function draftListing(answers: ListingAnswers, folder: string): Listing {
  const { street, city, state, postalCode } = answers;
  const data = answered({
    price: answers.price,
    status: answers.status,
    open_house: answers.openHouse,
    headline: answers.headline,
    link: answers.link,
    logo: answers.logo === null ? null : toAssetUrl(answers.logo, folder),
  });
  const hasData = Object.keys(data).length > 0;
  const options = {
    ratio: answers.ratio,
    ...answered({
      // Data without a template has no effect.
      template_id: answers.template ?? (hasData ? DEFAULT_TEMPLATE_ID : null),
      template_data: hasData ? data : null,
      create_preview: answers.preview ? true : null,
    }),
  };
  return {
    id: answers.id,
    ...answered({
      address: street === null ? null : { street, ...answered({ city, state, postal_code: postalCode }) },
      bedrooms: answers.bedrooms,
      bathrooms: answers.bathrooms,
      half_bathrooms: answers.halfBathrooms,
      interior_square_footage: answers.squareFeet,
    }),
    assets: answers.photos.map((photo) => ({
      url: toAssetUrl(photo, folder),
      ...answered({ caption: answers.captions.get(photo) ?? null }),
    })),
    agents: answers.agents.map((agent) => ({
      id: agent.id,
      first_name: agent.firstName,
      last_name: agent.lastName,
      ...answered({
        designation: agent.designation,
        picture: agent.picture === null ? null : toAssetUrl(agent.picture, folder),
        phones: agent.phone === null ? null : [{ number: agent.phone }],
        emails: agent.email === null ? null : [{ address: agent.email }],
        licenses: agent.license === null ? null : [agent.license],
        offices: agent.office === null ? null : [{ name: agent.office }],
      }),
      video_options: options,
    })),
  };
}

/** `id`, or `id-2`, `id-3` and so on when it is used. */
export function unusedId(id: string, used: readonly string[]): string {
  const base = id === '' ? 'agent' : id;
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? base : `${base}-${number}`;
    if (!used.includes(candidate)) return candidate;
  }
}

/** The facts that are not null. */
function answered<T extends object>(facts: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  return Object.fromEntries(known) as { [K in keyof T]?: NonNullable<T[K]> };
}
