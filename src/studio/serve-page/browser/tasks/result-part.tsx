/** The video of one agent, with its preview, its files and its metadata. */
import { useId, useState } from 'preact/hooks';
import { toId } from '../../../../listing/words/to-id.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { timeWords } from '../../../components/words.ts';
import { mediaUrl } from '../media.ts';
import type { Result } from '../task.ts';
import { dateWords } from '../words.ts';

interface ResultProps {
  readonly result: Result;
  /** Of its agent. */
  readonly name: string;
  /** What the task is called. */
  readonly listing: string;
}

export function ResultPart({ result, name, listing }: ResultProps) {
  const heading = useId();
  // Two videos of one agent differ in these, which the browser reads in the file.
  const [shape, setShape] = useState<'wide' | 'vertical' | null>(null);
  const [sec, setSec] = useState(0);
  const title = shape === null ? name : `${name}, ${shape}`;
  const file = [listing, name, shape ?? ''].map(toId).filter(Boolean).join('-');
  const metadata = Object.entries(result.metadata ?? {});
  return (
    <article class={shape === 'vertical' ? 'result tall' : 'result'} aria-labelledby={heading}>
      <h2 id={heading}>
        {title}
        {sec > 0 && <span class="length"> · {timeWords(sec)}</span>}
      </h2>
      <figure class="screen">
        {/* biome-ignore lint/a11y/useMediaCaption: the videos have music and no speech */}
        <video
          controls
          playsInline
          preload="metadata"
          aria-label={`Video of ${title}`}
          poster={result.poster_url === undefined ? undefined : mediaUrl(result.poster_url)}
          src={mediaUrl(result.url)}
          onLoadedMetadata={({ currentTarget: { videoHeight, videoWidth, duration } }) => {
            setShape(videoHeight > videoWidth ? 'vertical' : 'wide');
            if (Number.isFinite(duration)) setSec(duration);
          }}
        />
      </figure>
      <p class="links">
        <a href={mediaUrl(result.url)} download={`${file}.mp4`}>
          Download the video
        </a>
        <CopyButton
          text={result.url}
          what="address"
          words="Copy the address"
          label={`Copy the address of the video for ${title}`}
        />
        <time class="made" dateTime={result.created_at}>
          {dateWords(new Date(result.created_at))}
        </time>
      </p>
      {result.preview_url !== undefined && (
        <Preview title={title} file={`${file}.gif`} url={mediaUrl(result.preview_url)} />
      )}
      {metadata.length > 0 && (
        <dl class="metadata">
          {metadata.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </article>
  );
}

/** The GIF never stops, so it is shown only on request (WCAG 2.2.2). */
function Preview({ title, file, url }: Readonly<Record<'title' | 'file' | 'url', string>>) {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details
      class="preview"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) setOpened(true);
      }}
    >
      <summary>Preview GIF</summary>
      <img alt={`Preview of the video for ${title}`} decoding="async" src={wasOpened ? url : undefined} />
      <p class="links">
        <a href={url} download={file}>
          Download the preview
        </a>
      </p>
    </details>
  );
}
