/** The videos in the output folder: how old each is, what changed in the listing since, and ways to get it. */
import { signal } from '@preact/signals';
import { countWords } from '../../listing/words/count-words.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { agents } from '../components/shown-agent.ts';
import { ageWords, ratioWords, sentence, sizeWords } from '../components/words.ts';
import type { MadeVideo } from '../editor/protocol.ts';
import { titleOf } from './places.tsx';
import { chosenPlaces } from './render-choice.ts';
import { pause } from './stage/player.ts';
import { isSaving, request, state } from './state.ts';

const nowMs = signal(Date.now());
setInterval(() => {
  nowMs.value = Date.now();
}, 60_000);

export function MadeVideos() {
  const { folder, videos } = state.value!.results;
  if (videos.length === 0 || folder === null) return null;
  return (
    <>
      <p class="render-folder">
        {summary(videos)} in the folder <code>{folder}</code>
      </p>
      <ul class="finished">
        {videos.map((video) => (
          <Made key={video.url} video={video} />
        ))}
      </ul>
    </>
  );
}

/** `3 videos, 1 out of date,` */
function summary(videos: readonly MadeVideo[]): string {
  const old = videos.filter((video) => standOf(video).kind === 'old').length;
  return `${countWords(videos.length, 'video')}${old === 0 ? '' : `, ${old} out of date,`}`;
}

function Made({ video }: { readonly video: MadeVideo }) {
  const title = describeVideo(video);
  const { kind, words } = standOf(video);
  const left = video.places.filter((place) => !chosenPlaces.value.includes(place));
  const age = ageWords(video.made_at, nowMs.value);
  return (
    <li data-ratio={video.ratio} data-stand={kind}>
      <video
        controls
        preload="none"
        aria-label={title}
        src={video.url}
        {...(video.poster === null ? {} : { poster: video.poster.url })}
        onPlay={pause}
      />
      <p>
        {title}
        <span class="soft">
          {video.name}, {sizeWords(video.bytes)}
          {age !== '' && (
            <>
              , <time dateTime={video.made_at}>made {age}</time>
            </>
          )}
        </span>
      </p>
      {video.fits !== '' && <p class="fits">{sentence(video.fits)}</p>}
      <p class="stand">{words}</p>
      {video.is_named_for_places && left.length > 0 && (
        <p class="caution">
          {left.map(titleOf).join(' and ')} {left.length === 1 ? 'is' : 'are'} not chosen above: Render leaves
          this file as it is.
        </p>
      )}
      <Ways video={video} title={title} />
    </li>
  );
}

function Ways({ video, title }: { readonly video: MadeVideo; readonly title: string }) {
  const files = [
    ['Download', video],
    ['GIF', video.preview],
    ['Poster', video.poster],
  ] as const;
  return (
    <p class="ways">
      {files.map(
        ([words, file]) =>
          file !== null && (
            <a
              key={words}
              class="button quiet"
              href={file.url}
              download={file.download_name}
              aria-label={`${words === 'Download' ? words : `Download the ${words === 'GIF' ? words : 'poster'} of`} ${title}`}
            >
              {words}
            </a>
          ),
      )}
      {state.value!.results.can_show && (
        <button
          type="button"
          class="quiet"
          aria-label={`Show in folder: ${title}`}
          onClick={() => void request('POST', `results/${encodeURIComponent(video.name)}/show`)}
        >
          Show in folder
        </button>
      )}
      <CopyButton text={video.path} what="path" words="Copy path" label={`Copy path of ${title}`} />
    </p>
  );
}

/** `June Takemori, 16:9, template modern, draft` */
function describeVideo(video: MadeVideo): string {
  const { agent_id: id, agent_name: before, ratio } = video;
  const now = agents.value.find((agent) => agent.id === id)?.name;
  const name = id === null ? 'Without branding' : (now ?? before ?? id);
  const template = video.has_chosen_template ? [`template ${video.template_id}`] : [];
  const places = video.is_named_for_places ? [`for ${video.places.map(titleOf).join(' and ')}`] : [];
  return [name, ratioWords(ratio), ...places, ...template, ...(video.is_draft ? ['draft'] : [])].join(', ');
}

/** Whether a video is what a render of the listing would make. */
function standOf({ has_agent_left: hasLeft, changes }: MadeVideo): { kind: string; words: string } {
  if (hasLeft) return { kind: 'old', words: 'Out of date: the agent is no longer in the listing.' };
  if (changes === null)
    return { kind: 'unknown', words: 'Made by an earlier version: it can be out of date.' };
  // What is not saved yet can be what it lacks.
  if (changes.length === 0 && isSaving.value) return { kind: 'unknown', words: 'Checking …' };
  if (changes.length === 0) return { kind: 'new', words: 'Up to date.' };
  return { kind: 'old', words: `Out of date: ${changes.join(', ')}.` };
}
