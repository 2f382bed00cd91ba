/** The answers that options give, as typed; an absent one is not answered. Types only. */
import type { AspectRatio } from '../../listing/listing.ts';

/** One agent of the command line. */
export type AgentFlags = Partial<
  Record<
    'name' | 'lastName' | 'agentId' | 'designation' | 'phone' | 'email' | 'license' | 'office' | 'picture',
    string
  >
>;

/** How photos are sorted before somebody moves one. */
export type SortOrder = 'name' | 'time' | 'as-given';

/** What the options of `init` answer. */
export interface GivenAnswers {
  readonly photos?: string;
  readonly photo?: readonly string[];
  readonly order?: SortOrder;
  /** A file name, or a number in the sorted order. */
  readonly first?: string;
  /** `kitchen.jpg=The kitchen`, or a number in the order of the video instead of the name. */
  readonly caption?: readonly string[];
  readonly id?: string;
  readonly street?: string;
  readonly city?: string;
  readonly state?: string;
  readonly postalCode?: string;
  readonly bedrooms?: string;
  readonly bathrooms?: string;
  readonly halfBathrooms?: string;
  readonly squareFeet?: string;
  readonly price?: string;
  readonly status?: string;
  readonly openHouse?: string;
  readonly headline?: string;
  readonly link?: string;
  readonly logo?: string;
  readonly agents?: readonly AgentFlags[];
  readonly template?: string;
  readonly ratio?: AspectRatio;
  readonly preview?: boolean;
}
