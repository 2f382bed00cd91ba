/** `listing-video doctor`: what this machine has, what is missing and how to fix it. */
import type { CommandRun } from '../command-run.ts';
import { CliCommand, settingOption } from '../define-command.ts';

export const doctorCommand = (): CliCommand =>
  new CliCommand('doctor', 'check whether this machine can render')
    .description(
      'Makes a small video in a temporary folder: decodes a photo, renders frames, encodes them and reads the video back. Also ' +
        'checks fonts, templates, disk, data folder, memory, CPUs, network and proxies, and the database and bucket of a server. Exits with 3 when a check fails.',
    )
    .addOptions([
      ...settingOption('out', 'check whether results can be written to this folder'),
      ...settingOption('templatesDir', 'check whether this folder of your templates is there'),
      ...settingOption('ffmpeg', 'check this ffmpeg'),
      ...settingOption(
        'useProxy',
        'show the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY; --no-use-proxy shows none',
      ),
    ])
    .examples({
      doctor: 'check this machine',
      'doctor --json': 'print the checks as JSON',
      'doctor --ffmpeg /opt/ffmpeg/bin/ffmpeg': 'check whether this ffmpeg can be used',
    })
    .does(async () => doctor);

async function doctor(run: CommandRun): Promise<number> {
  const [{ checkMachine }, settings] = await Promise.all([
    import('./check-machine.ts'),
    run.resolvedSettings(),
  ]);
  const checks = await checkMachine(settings, { env: run.host.env, signal: run.signal });
  const ok = checks.every((check) => check.ok);
  if (run.output.json) {
    const { printJson } = await import('../terminal/print-json.ts');
    printJson(run.terminal, { ok, checks });
    return ok ? 0 : 3;
  }
  const [{ escapeText }, { stdoutWidth }, { wrapText }] = await Promise.all([
    import('../terminal/escape-text.ts'),
    import('../terminal/table.ts'),
    import('../terminal/wrap-text.ts'),
  ]);
  const { out } = run.terminal.styles;
  const width = Math.max(...checks.map(({ name }) => name.length));
  const indent = ' '.repeat(8 + width);
  const linesOf = (text: string) => wrapText(escapeText(text), stdoutWidth(run.terminal) - indent.length);
  for (const check of checks) {
    const mark = check.ok ? out.green('ok  ') : out.red.bold('FAIL');
    const [first = '', ...rest] = linesOf(check.value);
    run.terminal.print(`${mark}  ${check.name.padEnd(width)}  ${first}`);
    for (const line of rest) run.terminal.print(indent + line);
    for (const line of check.hint === null ? [] : linesOf(check.hint))
      run.terminal.print(indent + out.dim(line));
  }
  run.info(ok ? 'this machine is ready' : 'this machine is not ready: follow the hints above');
  return ok ? 0 : 3;
}
