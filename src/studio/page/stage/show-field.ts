/** Shows on the stage what a field of the forms changes, while it has the focus. A video that plays goes on. */
import { formatPrice } from '../../../listing/words/price.ts';
import { toText } from '../../components/forms/listing-edits.ts';
import { listingValue } from '../../components/listing.ts';
import { agents, chosenAgent } from '../../components/shown-agent.ts';
import type { ListingPath } from '../../editor/protocol.ts';
import { goTo, isPlaying, lead } from './player.ts';
import { sceneOfField } from './same-scene.ts';

export function showField(path: ListingPath): void {
  if (isPlaying.value) return;
  const [first, place = 0, third] = path;
  const isOfAgent = first === 'agents' && third !== 'video_options';
  const id = isOfAgent ? listingValue(['agents', place, 'id']) : undefined;
  if (typeof id === 'string' && agents.value.some((agent) => agent.id === id)) chosenAgent.value = id;
  const scene = sceneOfField(lead.value?.scenes ?? [], path, shownValue(path));
  if (scene !== null) goTo(scene);
}

/** As the video writes it: of an address the street; nothing of an agent, whose card shows all. */
function shownValue(path: ListingPath): string {
  if (path[0] === 'address') return toText(listingValue(['address', 'street']));
  if (path[3] !== 'template_data') return '';
  const text = toText(listingValue(path));
  return path[4] === 'price' ? (formatPrice(text) ?? '') : text;
}
