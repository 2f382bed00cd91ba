import { describe, expect, it } from 'vitest';
import { toAgentOptions } from '../../src/video/plan/agent-options.ts';
import type { VideoTaskOptions } from '../../src/video/video-task.ts';

const NAMES = { id: 'a', first_name: 'Ada', last_name: 'Byron' };
const NO_OVERRIDES: VideoTaskOptions = { quality: 'standard', minAssets: 1, force: false };

describe('the options of an agent', () => {
  it('have the defaults of the API', () => {
    expect(toAgentOptions(NAMES, NO_OVERRIDES)).toEqual({
      templateId: 'classic',
      templateData: {},
      ratio: '1920:1080',
      hasPreview: false,
      metadata: {},
    });
  });

  it('take template_data only where a template is named', () => {
    const template_data = { headline: 'Open house' };
    expect(toAgentOptions({ ...NAMES, video_options: { template_data } }, NO_OVERRIDES).templateData).toEqual(
      {},
    );
    const named = { ...NAMES, video_options: { template_id: 'classic', template_data } };
    expect(toAgentOptions(named, NO_OVERRIDES).templateData).toEqual(template_data);
    const nulled = { ...NAMES, video_options: { template_id: null, template_data } };
    expect(toAgentOptions(nulled, NO_OVERRIDES).templateData).toEqual({});
  });

  it('give way to the command line, which lays its data over the agent’s own', () => {
    const agent = {
      ...NAMES,
      video_options: {
        ratio: '1920:1080' as const,
        template_id: 'modern',
        template_data: { headline: 'Open house', status: 'New' },
        create_preview: true,
        metadata: { crm: '7' },
      },
    };
    const overrides = {
      ...NO_OVERRIDES,
      templateId: 'classic',
      templateData: { headline: 'Sold' },
      ratio: '1080:1920' as const,
      preview: false,
    };
    expect(toAgentOptions(agent, overrides)).toEqual({
      templateId: 'classic',
      templateData: { headline: 'Sold', status: 'New' },
      ratio: '1080:1920',
      hasPreview: false,
      metadata: { crm: '7' },
    });
  });
});
