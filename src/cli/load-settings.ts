/** Reads the project file and the config file, and decides every setting. */
import { open } from 'node:fs/promises';
import path from 'node:path';
import { locateInSource } from '../listing/json/json-places.ts';
import { parseListingText } from '../listing/json/parse-json.ts';
import { ListingVideoError } from '../platform/errors.ts';
import { configPath, readConfig } from '../platform/settings/config-file.ts';
import { checkProject, findProjectFile, MAX_PROJECT_FILE_BYTES } from '../platform/settings/project-file.ts';
import {
  type ResolvedSettings,
  resolveSettings,
  type SettingFile,
  type SettingFlags,
  type SettingInputs,
  unknownConfigKeys,
} from '../platform/settings/resolve-settings.ts';
import {
  type MachineFacts,
  SETTING_NAMES,
  SETTINGS,
  shownValue,
} from '../platform/settings/setting-table.ts';
import { escapeText } from './terminal/escape-text.ts';
import type { Terminal } from './terminal/terminal.ts';
import { wrapMessage } from './terminal/wrap-text.ts';

interface SettingsHost {
  readonly terminal: Pick<Terminal, 'log' | 'stderrIsTty' | 'columns'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly machine: () => Promise<MachineFacts>;
}

/** The data folder, decided without the config file, which is inside it. */
export async function homeFolder(flags: SettingFlags, host: SettingsHost): Promise<string> {
  // Other variables stay out: a bad value of theirs is no reason to fail here.
  const env = { LISTING_VIDEO_HOME: host.env.LISTING_VIDEO_HOME };
  const machine = await host.machine();
  return resolveSettings({ flags: { home: flags.home }, env, config: null, machine }).home.value;
}

export interface SettingFiles {
  readonly config: string;
  readonly project: string | null;
}

export async function settingFiles(flags: SettingFlags, host: SettingsHost): Promise<SettingFiles> {
  const home = await homeFolder(flags, host);
  return { config: configPath(home), project: await findProjectFile(await host.machine()) };
}

/** @throws ListingVideoError `setting_invalid` for a bad value or a broken config file, with its place. */
export async function loadResolvedSettings(
  flags: SettingFlags,
  host: SettingsHost,
): Promise<ResolvedSettings> {
  const config = await readConfig(await homeFolder(flags, host), parseConfig);
  for (const problem of unknownConfigKeys(config?.values ?? {})) {
    const text = escapeText(`${config?.file}: ${problem}`);
    for (const line of wrapMessage(host.terminal, 'warning: ', text)) host.terminal.log(line);
  }
  const machine = await host.machine();
  const file = await findProjectFile(machine);
  const inputs = { flags, env: host.env, config, machine };
  const project = file === null || isUntrusted(inputs) ? null : await readProject(file);
  return resolveSettings({ ...inputs, project });
}

/** Who accepts listings of strangers gets their project file with them: it must not choose templates and music. */
function isUntrusted({ flags, env, config, machine }: SettingInputs): boolean {
  const { untrusted } = resolveSettings({
    flags: { untrusted: flags.untrusted },
    env: { [SETTINGS.untrusted.env]: env[SETTINGS.untrusted.env] },
    config: config === null ? null : { file: config.file, values: { untrusted: config.values.untrusted } },
    machine,
  });
  return untrusted.value;
}

/** @throws ListingVideoError `setting_invalid`, with the line of every fault. */
export async function readProject(file: string | null): Promise<SettingFile | null> {
  if (file === null) return null;
  const { value, text } = parseListingText(await readProjectBytes(file), file);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw projectInvalid(file, [`${file}: expected a JSON object of settings`]);
  const { values, problems } = checkProject(value as Record<string, unknown>, path.dirname(file));
  if (problems.length === 0) return { file, values };
  const faults = problems.map(({ key, isValue, message }) => {
    const place = locateInSource(text, isValue ? ['body', key] : ['body', key, '[key]']);
    return `${file}${place === null ? '' : `:${place.line}:${place.column}`}: ${message}`;
  });
  throw projectInvalid(file, faults);
}

async function readProjectBytes(file: string): Promise<Uint8Array> {
  try {
    // It can be a stranger's link to a file of the system that says it has no bytes and never ends.
    const handle = await open(file);
    try {
      const bytes = Buffer.alloc(MAX_PROJECT_FILE_BYTES + 1);
      const { bytesRead } = await handle.read(bytes);
      if (bytesRead <= MAX_PROJECT_FILE_BYTES) return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
    throw new Error(`larger than ${MAX_PROJECT_FILE_BYTES} bytes`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw projectInvalid(file, [`${file}: cannot be read: ${reason}`], error);
  }
}

function projectInvalid(file: string, faults: readonly string[], cause?: unknown): ListingVideoError {
  return new ListingVideoError('setting_invalid', faults.join('; '), {
    hint: 'correct the project file: listing-video help settings',
    context: { file },
    ...(cause === undefined ? {} : { cause }),
  });
}

export function parseConfig(text: string, file: string): unknown {
  return parseListingText(Buffer.from(text), file).value;
}

/** For `--verbose`: `setting quality = draft (env)`, a line for each setting that is not a default. */
export function formatSettings(resolved: ResolvedSettings): string[] {
  return SETTING_NAMES.filter((name) => resolved[name].source !== 'default').map((name) => {
    const { value, source } = resolved[name];
    return escapeText(`setting ${SETTINGS[name].flag.slice(2)} = ${shownValue(name, value)} (${source})`);
  });
}
