/** Makes a listing from the answers. */
import path from 'node:path';
import type { AspectRatio, Listing } from '../../listing/listing.ts';

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
  readonly street: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly postalCode: string | null;
  readonly bedrooms: number | null;
  readonly bathrooms: number | null;
  readonly halfBathrooms: number | null;
  readonly squareFeet: number | null;
  readonly agents: readonly AgentAnswers[];
  readonly template: string | null;
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
  const options = {
    ratio: answers.ratio,
    ...(answers.template === null ? {} : { template_id: answers.template }),
    ...(answers.preview ? { create_preview: true } : {}),
  };
  return {
    id: answers.id,
    ...(street === null
      ? {}
      : {
          address: {
            street,
            ...given('city', city),
            ...given('state', state),
            ...given('postal_code', postalCode),
          },
        }),
    ...given('bedrooms', answers.bedrooms),
    ...given('bathrooms', answers.bathrooms),
    ...given('half_bathrooms', answers.halfBathrooms),
    ...given('interior_square_footage', answers.squareFeet),
    assets: answers.photos.map((photo) => ({ url: toAssetUrl(photo, folder) })),
    agents: answers.agents.map((agent) => ({
      id: agent.id,
      first_name: agent.firstName,
      last_name: agent.lastName,
      ...given('designation', agent.designation),
      ...(agent.picture === null ? {} : { picture: toAssetUrl(agent.picture, folder) }),
      ...(agent.phone === null ? {} : { phones: [{ number: agent.phone }] }),
      ...(agent.email === null ? {} : { emails: [{ address: agent.email }] }),
      ...(agent.license === null ? {} : { licenses: [agent.license] }),
      ...(agent.office === null ? {} : { offices: [{ name: agent.office }] }),
      video_options: options,
    })),
  };
}

/** An id that is a safe file name: `128 Harbor Pine Lane` is `128-harbor-pine-lane`. Empty when no letter or digit is left. */
export function toId(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
}

/** `id`, or `id-2`, `id-3` and so on when it is used. */
export function unusedId(id: string, used: readonly string[]): string {
  const base = id === '' ? 'agent' : id;
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? base : `${base}-${number}`;
    if (!used.includes(candidate)) return candidate;
  }
}

/** A URL unchanged; a path relative to `folder`, with slashes, never like a URL. */
function toAssetUrl(place: string, folder: string): string {
  if (/^(?:https?|file):/i.test(place)) return place;
  const relative = path.relative(folder, place).split(path.sep).join('/');
  return /^[a-z][a-z0-9+.-]*:/i.test(relative) && !path.isAbsolute(relative) ? `./${relative}` : relative;
}

function given<K extends string, T>(key: K, value: T | null): { [P in K]?: T } {
  return (value === null ? {} : { [key]: value }) as { [P in K]?: T };
}
