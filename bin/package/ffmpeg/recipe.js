/**
 * How ffmpeg is built for packages: with what the program asks of it, see `src/media/encode`, and nothing else. It then has an eighth of
 * the size, and music files of strangers reach few decoders. All paths are relative, so the bytes do not depend on the folder.
 */

/** What is enabled, by configure's word. */
const PARTS = {
  protocol: ['file', 'pipe'],
  // `mov` reads M4A and MP4.
  demuxer: ['aac', 'flac', 'mov', 'mp3', 'ogg', 'pcm_f32le', 'rawvideo', 'wav'],
  // Generates silence.
  indev: ['lavfi'],
  parser: ['aac', 'flac', 'h264', 'mpegaudio', 'opus', 'vorbis'],
  // Those of decode-music.ts, and what finished videos need.
  decoder: [
    ...['aac', 'alac', 'flac', 'h264', 'mp3', 'mp3float', 'opus', 'rawvideo', 'vorbis'],
    ...['pcm_alaw', 'pcm_f32le', 'pcm_f64le', 'pcm_mulaw', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_u8'],
  ],
  filter: [
    ...[
      'acrossfade',
      'adelay',
      'afade',
      'aformat',
      'alimiter',
      'amix',
      'anull',
      'anullsrc',
      'apad',
      'aresample',
    ],
    ...['asetpts', 'atrim', 'ebur128', 'format', 'null', 'scale', 'treble', 'volume'],
  ],
  encoder: ['aac', 'libx264', 'pcm_f32le', 'pcm_s16le'],
  muxer: ['adts', 'flv', 'null', 'pcm_f32le', 'wav'],
};

/**
 * By `<platform>-<arch>` of Node. The packages of other platforms have the ffmpeg of npm.
 *
 * - `compiler`: the program; `needs`: Debian's packages that bring it.
 * - `library`: the package whose library becomes part of ffmpeg, and its license.
 */
const TARGETS = {
  'linux-x64': {
    compiler: 'gcc',
    needs: ['gcc', 'libc6-dev', 'nasm'],
    library: { package: 'libc6-dev', license: 'LGPL-2.1-or-later' },
    link: '-static-pie',
  },
};

/**
 * @param {string} key - `<platform>-<arch>`.
 * @param {string} version - Of Debian's source package of ffmpeg, such as `7:5.1.9-0+deb12u1`.
 * @returns What to run in the folders of x264 and ffmpeg, which are side by side; null for a platform that is not built.
 */
export function recipeOf(key, version) {
  const target = TARGETS[key];
  if (target === undefined) return null;
  const { compiler, link, needs, library } = target;
  const parts = Object.entries(PARTS).map(([kind, names]) => `--enable-${kind}=${names.join(',')}`);
  return {
    compiler,
    needs: [...needs, 'dpkg-dev', 'make', 'pkg-config'],
    library,
    x264: [
      ...['--enable-static', '--enable-pic', '--enable-strip', '--disable-cli', '--disable-opencl'],
      ...['--bit-depth=8', '--chroma-format=420', '--libdir=../x264', '--includedir=../x264'],
    ],
    ffmpeg: [
      ...[
        '--disable-everything',
        '--disable-autodetect',
        '--disable-network',
        '--disable-programs',
        '--disable-doc',
      ],
      ...[
        '--disable-debug',
        '--disable-postproc',
        '--enable-ffmpeg',
        '--enable-gpl',
        '--enable-libx264',
        '--enable-pic',
      ],
      // As Debian's own is called: the version without the one of upstream.
      ...[`--extra-version=${version.split('-').at(-1)}`, `--cc=${compiler}`, `--extra-ldexeflags=${link}`],
      ...[
        '--extra-cflags=-fstack-protector-strong',
        '--pkg-config=pkg-config',
        '--pkg-config-flags=--static',
      ],
      ...parts,
    ],
  };
}
