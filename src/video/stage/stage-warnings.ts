/** The warnings of a planned video, each at the field of the document that it concerns, where that is known. Pure. */
import { fillDataLayers } from '../../template/data-layers.ts';
import type { VideoPlan } from '../plan/plan-video.ts';
import type { RequestedVideo } from '../plan/requested-videos.ts';
import type { StageWarning } from './stage.ts';

/** @param agentIndex - Into the document's agents. */
export function describeWarnings(
  plan: VideoPlan,
  { template, id }: RequestedVideo,
  agentIndex: number,
): StageWarning[] {
  const { ratio, templateData } = plan.options;
  const options = ['agents', agentIndex, 'video_options'] as const;
  const { faults } = fillDataLayers(template.dataLayers, templateData, template.withoutLayers);
  const names = new Map(faults.map(({ name, message }) => [message, name]));
  const at = (path: StageWarning['path'], message: string): StageWarning => ({
    ...{ path, message },
    agent_id: id,
    ratio,
  });
  return [
    ...plan.notes.map((note) => at([...options, 'template_data'], note)),
    ...plan.timeline.storyboard.warnings.map((warning) => {
      const name = names.get(warning);
      return at(name === undefined ? null : [...options, 'template_data', name], warning);
    }),
    ...plan.music.warnings.map((warning) => at([...options, 'template_data', 'music'], warning)),
  ];
}
