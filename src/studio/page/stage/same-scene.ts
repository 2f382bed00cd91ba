/** Which scene shows what a person looks for: a photo, a field, or the same thing in the other shape. Pure. */
import type { ListingPath, StudioScene } from '../../editor/protocol.ts';

/** Scenes that are about the listing or the agent, whatever photo stands behind the words. */
const OF_WORDS: readonly string[] = ['facts', 'statement', 'address', 'card', 'closing'];
/** Scenes of photos that another one shows in more peace. */
const OF_OPENING: readonly string[] = ['hook', 'hero'];

/** Where the photo is seen best; else what stands where it would be: null before all scenes. */
export function sceneOfPhoto(scenes: readonly StudioScene[], photo: number): StudioScene | null {
  const own = scenes.filter(({ photo_indexes }) => photo_indexes.includes(photo));
  const isOf = (kinds: readonly string[]) => own.find(({ kind }) => kinds.includes(kind));
  const inBody = own.find(({ kind }) => ![...OF_WORDS, ...OF_OPENING].includes(kind));
  const before = scenes.findLast(({ photo_indexes }) => photo_indexes.some((each) => each < photo));
  return inBody ?? isOf(OF_OPENING) ?? isOf(OF_WORDS) ?? before ?? null;
}

/**
 * The scene of another shape that shows what `scene` shows.
 *
 * @param photo - The one to show; null: the first of the scene.
 */
export function sameScene(
  scenes: readonly StudioScene[],
  scene: StudioScene,
  photo: number | null,
): StudioScene | null {
  const alike = scenes.filter(({ kind }) => kind === scene.kind);
  const wanted = photo ?? scene.photo_indexes[0];
  if (OF_WORDS.includes(scene.kind) || wanted === undefined)
    return alike.find(({ id }) => id === scene.id) ?? alike[0] ?? null;
  return alike.find(({ photo_indexes }) => photo_indexes.includes(wanted)) ?? sceneOfPhoto(scenes, wanted);
}

/** Kinds of scenes that show a field where none shows its words, the best first. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  address: ['hero', 'address', 'closing'],
  headline: ['hero'],
  status: ['hero', 'facts'],
  open_house: ['hero', 'card', 'closing'],
  price: ['facts', 'hero'],
  link: ['card', 'closing'],
  logo: ['card'],
  cta: ['card', 'closing'],
  bedrooms: ['facts', 'hero'],
  bathrooms: ['facts', 'hero'],
  half_bathrooms: ['facts', 'hero'],
  interior_square_footage: ['facts', 'hero'],
};

/**
 * The scene to look at while a field has the focus; null: none in particular.
 *
 * @param shown - Its value, as videos write it.
 */
export function sceneOfField(
  scenes: readonly StudioScene[],
  path: ListingPath,
  shown: string,
): StudioScene | null {
  const kinds = kindsOf(path);
  const words = shown.trim().toLowerCase();
  const says = ({ texts }: StudioScene) => texts.some((text) => text.toLowerCase().includes(words));
  const saying = kinds.length === 0 || words === '' ? undefined : scenes.find(says);
  return saying ?? kinds.flatMap((each) => scenes.find(({ kind }) => kind === each) ?? [])[0] ?? null;
}

function kindsOf([first, , third, fourth, layer]: ListingPath): readonly string[] {
  const isOfAgent = first === 'agents' && third !== 'video_options';
  const name = first === 'agents' && fourth === 'template_data' ? layer : first;
  return isOfAgent ? ['card'] : (Object.hasOwn(KINDS, String(name)) && KINDS[String(name)]) || [];
}
