/** The answers of `init` as its options give them; an absent one is not answered. Types only. */
import type { AspectRatio } from '../../listing/listing.ts';

type Texts<Name extends string> = Readonly<Partial<Record<Name, string>>>;
type AddressText = 'street' | 'city' | 'state' | 'postalCode';
type FactText = 'bedrooms' | 'bathrooms' | 'halfBathrooms' | 'squareFeet';
type DataText = 'price' | 'status' | 'openHouse' | 'headline' | 'link' | 'logo' | 'template';

export type AgentFlags = Texts<
  'name' | 'lastName' | 'agentId' | 'designation' | 'phone' | 'email' | 'license' | 'office' | 'picture'
>;

/** `first` is a file name, or a number in the sorted order. */
export interface GivenAnswers extends Texts<'photos' | 'first' | 'id' | AddressText | FactText | DataText> {
  readonly photo?: readonly string[];
  readonly order?: 'name' | 'time' | 'as-given';
  /** `kitchen.jpg=The kitchen`, or a number in the order of the video instead of the name. */
  readonly caption?: readonly string[];
  /** `staged.jpg=Virtually staged`; without a label the usual one. */
  readonly altered?: readonly string[];
  /** `staged.jpg=empty.jpg`. */
  readonly original?: readonly string[];
  readonly floorPlan?: readonly string[];
  readonly agents?: readonly AgentFlags[];
  readonly ratio?: AspectRatio;
  readonly preview?: boolean;
}
