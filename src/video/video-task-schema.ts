/** The JSON Schemas of what the store keeps of a video task. The listing in it has its own schema and rules. */
import { DESTINATION_NAMES } from './destinations/destination-table.ts';
import type { VideoTaskOptions } from './video-task.ts';

const TEXT = { type: 'string' };
const FLAG = { type: 'boolean' };
const RATIO = { enum: ['1920:1080', '1080:1920'] };
const TEXTS = { type: 'object', additionalProperties: TEXT };

/** Of `VideoTaskPayload`; the format `absolute-path` is this machine's. */
export const PAYLOAD_SCHEMA = {
  type: 'object',
  required: ['listingFile', 'baseDir', 'outputDir', 'options'],
  properties: {
    listingFile: { type: ['string', 'null'], format: 'absolute-path' },
    baseDir: { type: ['string', 'null'], format: 'absolute-path' },
    outputDir: { type: 'string', format: 'absolute-path' },
    nameSecret: TEXT,
    uploads: TEXTS,
    warnings: { type: 'array', items: TEXT },
    otherAgents: { type: 'array', items: TEXT },
    options: {
      type: 'object',
      required: ['quality', 'minAssets', 'force'],
      properties: {
        quality: { enum: ['draft', 'standard', 'high'] },
        minAssets: { type: 'integer' },
        force: FLAG,
        clean: FLAG,
        templateId: TEXT,
        music: TEXT,
        ratio: RATIO,
        preview: FLAG,
        alsoRatio: RATIO,
        lengths: { type: 'array', items: TEXT },
        destinations: { type: 'array', items: { enum: DESTINATION_NAMES } },
        alsoUnbranded: FLAG,
        unbrandedKeep: { type: 'array', items: { enum: ['open_house', 'price', 'status', 'link'] } },
        untrusted: FLAG,
        templateData: TEXTS,
      } satisfies Record<keyof VideoTaskOptions, object>,
    },
  },
};

/**
 * Of `VideoTaskOutcome`. An entry needs what names it and its file: stores of every version are read, and edited by
 * hand.
 */
export const OUTCOME_SCHEMA = {
  type: 'object',
  required: ['results', 'dropped_assets', 'report'],
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        required: ['agent_id', 'url'],
        properties: { agent_id: TEXT, url: TEXT, created_at: TEXT, preview_url: TEXT, metadata: TEXTS },
      },
    },
    also_ratio: {
      type: 'array',
      items: {
        type: 'object',
        required: ['agent_id', 'ratio', 'url'],
        properties: {
          agent_id: TEXT,
          ratio: RATIO,
          url: TEXT,
          created_at: TEXT,
          preview_url: TEXT,
          metadata: TEXTS,
        },
      },
    },
    also_for: {
      type: 'array',
      items: {
        type: 'object',
        required: ['agent_id', 'ratio', 'url', 'destinations'],
        properties: {
          agent_id: TEXT,
          ratio: RATIO,
          url: TEXT,
          destinations: { type: 'array', items: { enum: DESTINATION_NAMES } },
          length: TEXT,
          created_at: TEXT,
          preview_url: TEXT,
          metadata: TEXTS,
        },
      },
    },
    unbranded: {
      type: 'array',
      items: {
        type: 'object',
        required: ['ratio', 'url'],
        properties: { ratio: RATIO, url: TEXT, created_at: TEXT, preview_url: TEXT },
      },
    },
    dropped_assets: {
      type: 'array',
      items: { type: 'object', required: ['url', 'reason'], properties: { url: TEXT, reason: TEXT } },
    },
    warnings: { type: 'array', items: TEXT },
    report: { type: ['string', 'null'] },
  },
};
