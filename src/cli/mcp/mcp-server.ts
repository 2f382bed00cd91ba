/** The Model Context Protocol: lists the tools, checks arguments, calls a tool, and words its answer. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ProgressToken,
  type ServerNotification,
} from '@modelcontextprotocol/sdk/types.js';

import { AJV_OPTIONS, loadAjv, type SchemaValidator } from '../../listing/rules/compile-schema.ts';
import type { TaskProgress } from '../../task/task.ts';
import { nearestHint, stacksOf, toListingVideoError, usageError } from '../cli-error.ts';
import { formatPath } from '../listings/format-path.ts';
import { describeProgress } from '../terminal/progress-view.ts';
import type { Assistant } from './assistant.ts';
import { listingTools } from './listing-tools.ts';
import { taskTools } from './task-tools.ts';
import { templateTools } from './template-tools.ts';
import type { Tool, ToolAnswer } from './tool.ts';

const INSTRUCTIONS =
  'Makes videos of houses from photos and facts on this machine; nothing is uploaded. To make a video of a folder of photos: call plan_video, show ' +
  'the image to the person, then call create_videos with the same arguments. Never invent facts of a house or an agent: ask. Keep the label of an altered photo.';

/** A server with all tools. The caller connects it to a transport. */
export async function openMcpServer(assistant: Assistant): Promise<Server> {
  const tools = [...(await listingTools(assistant)), ...templateTools(assistant), ...taskTools(assistant)];
  const validators = new Map<string, SchemaValidator>();
  const validatorOf = ({ name, input }: Tool): SchemaValidator => {
    const { properties, ...schema } = input;
    // A listing has its own rules, which word what is wrong.
    const all = {
      ...(properties as object),
      ...(Object.hasOwn(properties as object, 'listing') && { listing: {} }),
    };
    const known =
      validators.get(name) ??
      new (loadAjv())({ ...AJV_OPTIONS, messages: true, strict: false, logger: false }).compile({
        ...schema,
        properties: all,
      });
    validators.set(name, known);
    return known;
  };
  const info = { name: 'listing-video', title: 'Listing Video', version: assistant.version };
  const server = new Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(describeTool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, _meta, sendNotification }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new McpError(ErrorCode.InvalidParams, `there is no tool ${JSON.stringify(params.name)}`);
    const args = params.arguments ?? {};
    try {
      requireValid(args, validatorOf(tool));
      const onProgress = progressSender(_meta?.progressToken, sendNotification);
      return toResult(
        await tool.call(args, { signal: AbortSignal.any([signal, assistant.closing]), onProgress }),
      );
    } catch (thrown) {
      signal.throwIfAborted();
      return toErrorResult(thrown, assistant);
    }
  });
  return server;
}

function describeTool({ name, title, description, input, output, isReadOnly, isDestructive = false }: Tool) {
  const annotations = {
    ...{ title, readOnlyHint: isReadOnly, destructiveHint: isDestructive, idempotentHint: true },
    // Photos of a listing can be on the network.
    openWorldHint: 'listing' in (input.properties as object),
  };
  const schemas = { inputSchema: input as { type: 'object' }, outputSchema: output as { type: 'object' } };
  return { name, title, description, ...schemas, annotations };
}

/** @throws ListingVideoError `usage`, which names the argument. */
function requireValid(args: object, validate: SchemaValidator): void {
  if (validate(args)) return;
  const errors = validate.errors!;
  // A misspelled name says more than that the right one is missing.
  const fault = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? errors[0];
  const place = fault!.instancePath.slice(1).replaceAll('/', '.');
  const unknown = fault!.params.additionalProperty as string | undefined;
  if (unknown === undefined)
    throw usageError(`the arguments are not valid: ${[place, fault!.message].join(' ').trim()}`);
  const known = Object.keys(fault!.parentSchema!.properties as object);
  throw usageError(`there is no argument "${unknown}"`, nearestHint(unknown, known));
}

type Send = (notification: ServerNotification) => Promise<void>;

/** Percents of one call never fall, although several works can follow each other. */
function progressSender(token: ProgressToken | undefined, send: Send): (progress: TaskProgress) => void {
  let percent = -1;
  let stage: string | null = null;
  return (progress) => {
    const next = Math.floor(progress.percent);
    if (token === undefined || (next <= percent && progress.stage === stage)) return;
    percent = Math.min(100, Math.max(percent + 0.01, next));
    stage = progress.stage;
    const message = describeProgress(progress);
    const params = { progressToken: token, progress: percent, total: 100, message };
    send({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

function toResult({ document, images = [], links = [] }: ToolAnswer): CallToolResult {
  return {
    structuredContent: document as Record<string, unknown>,
    content: [
      { type: 'text', text: JSON.stringify(document) },
      ...images.map((image) => ({
        type: 'image' as const,
        data: Buffer.from(image).toString('base64'),
        mimeType: 'image/jpeg',
      })),
      ...links.map(({ file, title, mimeType }) => ({
        ...{ type: 'resource_link' as const, uri: pathToFileURL(file).href, name: path.basename(file) },
        ...{ title, mimeType },
      })),
    ],
  };
}

/** What is wrong, where, and what to do: the assistant can correct itself, or ask its user. */
function toErrorResult(thrown: unknown, assistant: Assistant): CallToolResult {
  const error = toListingVideoError(thrown);
  if (error.code === 'internal_error') assistant.log(stacksOf(error).join('\ncaused by: '));
  const { files = [] } = (error.context ?? {}) as { files?: readonly { detail: readonly Found[] }[] };
  const details = files.flatMap(({ detail }) =>
    detail.map(({ loc, message }) => `${loc.length > 1 ? `${formatPath(loc)}: ` : ''}${message}`),
  );
  const hint = error.hint === undefined || details.length > 0 ? [] : [error.hint];
  const lines = [`${error.code}: ${error.message.replace(/^- is/, 'it is')}`, ...details, ...hint];
  return { isError: true, content: [{ type: 'text', text: lines.map(inArguments).join('\n') }] };
}

interface Found {
  readonly loc: readonly (string | number)[];
  readonly message: string;
}

/** `open_house` for `--open-house`, but not in a command in backticks. */
function inArguments(text: string): string {
  if (text.includes('`')) return text;
  return text.replace(/(?<![\w-])--([a-z][a-z-]*)/g, (_, flag: string) => flag.replaceAll('-', '_'));
}
