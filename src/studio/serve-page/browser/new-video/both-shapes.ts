/** Makes one task of a listing in both shapes: each agent a second time, with the other shape. Pure. */
import { unusedId } from '../../../../listing/words/to-id.ts';
import { isObject, type ListingObject } from '../../../document/json.ts';

const OTHER = {
  '1920:1080': ['1080:1920', 'vertical'],
  '1080:1920': ['1920:1080', 'wide'],
} as const;

/** The agents as they are, then the others. What is wrong with an agent is found at the first of both. */
export function withBothShapes(listing: ListingObject): ListingObject {
  const { agents } = listing;
  if (!Array.isArray(agents)) return listing;
  const ids = agents.flatMap((agent: unknown) =>
    isObject(agent) && typeof agent.id === 'string' ? [agent.id] : [],
  );
  const others = agents.filter(isObject).map((agent) => {
    const options = isObject(agent.video_options) ? agent.video_options : {};
    const [ratio, word] = OTHER[options.ratio === '1080:1920' ? '1080:1920' : '1920:1080'];
    const id = unusedId(`${agent.id}-${word}`, ids);
    ids.push(id);
    return { ...agent, id, video_options: { ...options, ratio } };
  });
  return { ...listing, agents: [...agents, ...others] };
}
