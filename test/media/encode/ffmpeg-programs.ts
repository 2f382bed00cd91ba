/**
 * What ffmpeg programs print on stderr before their encoders, for scripts that answer as they do. N-47683, 5.1.9 and
 * n7.0-7 were run; the others have the version of libavcodec of their release in the same format. Lines that nothing
 * reads are those of 5.1.9 for all.
 */

export interface FfmpegProgram {
  readonly version: string;
  /** As in `Copyright (c) 2000-2022`. */
  readonly year: number;
  /** Major, minor, micro. */
  readonly libavcodec: readonly [number, number, number];
  readonly isNewEnough: boolean;
  /** Stands after the version in static builds. */
  readonly home?: string;
}

/** 4.1 to 8.0, and builds from git. */
export const FFMPEG_PROGRAMS: readonly FfmpegProgram[] = [
  { version: '4.1.11-0+deb10u1', year: 2023, libavcodec: [58, 35, 100], isNewEnough: false },
  {
    ...{ version: 'N-47683-g0e8eb07980-static', year: 2018, libavcodec: [58, 42, 100], isNewEnough: false },
    home: 'https://johnvansickle.com/ffmpeg/ ',
  },
  { version: '4.2.2', year: 2019, libavcodec: [58, 54, 100], isNewEnough: false },
  { version: '4.3', year: 2020, libavcodec: [58, 91, 100], isNewEnough: false },
  { version: '4.4.2-0ubuntu0.22.04.1', year: 2021, libavcodec: [58, 134, 100], isNewEnough: false },
  { version: '5.0', year: 2022, libavcodec: [59, 18, 100], isNewEnough: false },
  { version: '5.1.9-0+deb12u1', year: 2026, libavcodec: [59, 37, 100], isNewEnough: true },
  { version: '6.0', year: 2023, libavcodec: [60, 3, 100], isNewEnough: true },
  { version: '6.1.1-3ubuntu5', year: 2023, libavcodec: [60, 31, 102], isNewEnough: true },
  { version: 'n7.0-7-gd38bf5e08e-20240407', year: 2024, libavcodec: [61, 3, 100], isNewEnough: true },
  { version: '7.1.5-0+deb13u1', year: 2026, libavcodec: [61, 19, 101], isNewEnough: true },
  { version: '8.0.1', year: 2025, libavcodec: [62, 11, 100], isNewEnough: true },
];

/** That of Debian 12. */
export const FFMPEG_5_1 = FFMPEG_PROGRAMS.find(({ version }) => version.startsWith('5.1'))!;

/**
 * What `ffmpeg -encoders` prints on stderr. The lines below the first have two blanks before them; `ffmpeg -version`
 * prints the same without.
 */
function bannerOf({ version, year, libavcodec: [major, minor, micro], home }: FfmpegProgram): string {
  const codec = [`${major}`.padStart(3), `${minor}`.padStart(3), `${micro}`].join('.');
  return [
    `ffmpeg version ${version}${home === undefined ? '' : ` ${home}`} Copyright (c) 2000-${year} the FFmpeg developers`,
    '  built with gcc 12 (Debian 12.2.0-14+deb12u1)',
    '  configuration: --prefix=/usr --enable-gpl --enable-libx264 --enable-shared',
    '  libavutil      57. 28.100 / 57. 28.100',
    `  libavcodec    ${codec} /${codec}`,
    '  libavformat    59. 27.100 / 59. 27.100',
    '  libswresample   4.  7.100 /  4.  7.100',
  ].join('\n');
}

/** Body of an `sh` script that answers as that program does. */
export function answersOf(
  program: FfmpegProgram,
  encoders = ' V....D libx264              x264\n A....D aac                  AAC',
): string {
  return `cat >&2 <<'END'\n${bannerOf(program)}\nEND\ncat <<'END'\n${encoders}\nEND`;
}
