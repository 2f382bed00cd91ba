/** The video of one agent, with its preview, its files and its metadata. */
import { useId, useState } from 'preact/hooks';
import { CopyButton } from '../../../components/copy-button.tsx';
import { mediaUrl } from '../media.ts';
import type { Result } from '../task.ts';
import { dateWords } from '../words.ts';

interface ResultProps {
  readonly result: Result;
  /** Of its agent. */
  readonly name: string;
}

export function ResultPart({ result, name }: ResultProps) {
  const heading = useId();
  const [isTall, setTall] = useState(false);
  const metadata = Object.entries(result.metadata ?? {});
  return (
    <article class={isTall ? 'result tall' : 'result'} aria-labelledby={heading}>
      <h2 id={heading}>{name}</h2>
      <figure class="screen">
        {/* biome-ignore lint/a11y/useMediaCaption: the videos have music and no speech */}
        <video
          controls
          playsInline
          preload="metadata"
          aria-label={`Video of ${name}`}
          poster={result.poster_url === undefined ? undefined : mediaUrl(result.poster_url)}
          src={mediaUrl(result.url)}
          onLoadedMetadata={({ currentTarget: { videoHeight, videoWidth } }) =>
            setTall(videoHeight > videoWidth)
          }
        />
      </figure>
      <p class="links">
        <a href={mediaUrl(result.url)} download={fileName(name, 'mp4')}>
          Download the video
        </a>
        <CopyButton
          text={result.url}
          what="address"
          words="Copy the address"
          label={`Copy the address of the video for ${name}`}
        />
        <time class="made" dateTime={result.created_at}>
          {dateWords(new Date(result.created_at))}
        </time>
      </p>
      {result.preview_url !== undefined && <Preview name={name} url={mediaUrl(result.preview_url)} />}
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
function Preview({ name, url }: { readonly name: string; readonly url: string }) {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details
      class="preview"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) setOpened(true);
      }}
    >
      <summary>Preview GIF</summary>
      <img alt={`Preview of the video for ${name}`} decoding="async" src={wasOpened ? url : undefined} />
      <p class="links">
        <a href={url} download={fileName(name, 'gif')}>
          Download the preview
        </a>
      </p>
    </details>
  );
}

function fileName(name: string, extension: string): string {
  return `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80) || 'video'}.${extension}`;
}
