/** The answers of `init` as its options give them; an absent one is not answered. Types only. */
import type { AspectRatio } from '../../listing/listing.ts';

type Texts<Name extends string> = Readonly<Partial<Record<Name, string>>>;
type AddressText = 'street' | 'city' | 'state' | 'postalCode';
type FactText = 'bedrooms' | 'bathrooms' | 'halfBathrooms' | 'squareFeet';
type DataText = 'price' | 'status' | 'openHouse' | 'headline' | 'link' | 'length' | 'logo' | 'template';

export type AgentFlags = Texts<
  'agent' | 'lastName' | 'agentId' | 'designation' | 'phone' | 'email' | 'license' | 'office' | 'picture'
>;

/** Of single photos: a file name, or a number in the order of the video, and with most `=` and a value. */
export type PhotoFlag = 'caption' | 'altered' | 'original' | 'floorPlan' | 'emphasis' | 'focus';

/** `first` is a file name, or a number in the sorted order. */
export interface GivenAnswers
  extends Texts<'photos' | 'first' | 'id' | AddressText | FactText | DataText>,
    Readonly<Partial<Record<PhotoFlag, readonly string[]>>> {
  readonly photo?: readonly string[];
  readonly order?: 'name' | 'time' | 'as-given';
  readonly agents?: readonly AgentFlags[];
  readonly ratio?: AspectRatio;
  readonly preview?: boolean;
}
