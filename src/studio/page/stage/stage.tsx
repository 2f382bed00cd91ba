/** The middle of the page: the video or both, what is shown, and how to move in it. */

import { sentence } from '../../components/words.ts';
import { shownVideos } from '../shown.ts';
import { isAway, state } from '../state.ts';
import { Screen } from './screen.tsx';
import { StageBar } from './stage-bar.tsx';
import { Strip } from './strip.tsx';
import { Transport } from './transport.tsx';

export function Stage() {
  const videos = shownVideos.value;
  const problem = state.value?.plan_problem ?? null;
  return (
    <section class="stage" id="stage" aria-label="Video" tabIndex={-1}>
      <StageBar />
      <div
        class="screens"
        data-count={videos.length}
        data-shape={videos.length === 1 && videos[0]?.ratio === '1920:1080' ? 'wide' : undefined}
      >
        {videos.length === 0 && <Empty problem={problem} />}
        {videos.map((video) => (
          <Screen key={`${video.agent_id} ${video.ratio}`} video={video} limit={videos.length > 1 ? 2 : 3} />
        ))}
        {videos.length > 0 && problem !== null && (
          <p class="stage-note" role="status">
            {sentence(problem)} The stage shows the last version that worked.
          </p>
        )}
      </div>
      <Transport />
      <Strip />
    </section>
  );
}

function Empty({ problem }: { readonly problem: string | null }) {
  const isLost = isAway.value;
  return (
    <div class="stage-empty">
      <p class="stage-empty-head">
        {isLost
          ? 'The studio does not answer'
          : problem === null
            ? 'Preparing the first picture'
            : 'No video yet'}
      </p>
      <p>
        {isLost ? 'Start it again, and open this listing.' : sentence(problem ?? 'Photos are being read.')}
      </p>
    </div>
  );
}
