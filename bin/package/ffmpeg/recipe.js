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

/** The C library of Debian for the other processor: see build.js. That of the compiler for it has no fixes since its release. */
const SYSROOT = '../libc';
const ARM_HEADERS = ['', '/aarch64-linux-gnu'].map((folder) => `-isystem ${SYSROOT}/usr/include${folder}`);
const ARM_LIBRARIES = `-B${SYSROOT}/usr/lib/aarch64-linux-gnu`;

/**
 * By `<platform>-<arch>` of Node. The packages of macOS have the ffmpeg of npm.
 *
 * - `compiler`: the program; `needs`: Debian's packages that bring it.
 * - `library`: the package whose library becomes part of ffmpeg, and its license; `architecture`: Debian's word for the processor that
 *   it is of, where this machine has another one.
 * - `x264`, `ffmpeg`: more words for configure.
 */
const TARGETS = {
  'linux-x64': {
    compiler: 'gcc',
    needs: ['gcc', 'libc6-dev', 'nasm'],
    library: { package: 'libc6-dev', license: 'LGPL-2.1-or-later' },
    link: '-static-pie',
  },
  'linux-arm64': {
    compiler: 'aarch64-linux-gnu-gcc',
    needs: ['gcc-aarch64-linux-gnu'],
    library: { package: 'libc6-dev', license: 'LGPL-2.1-or-later', architecture: 'arm64' },
    link: '-static-pie',
    x264: [
      ...['--host=aarch64-linux-gnu', '--cross-prefix=aarch64-linux-gnu-', `--sysroot=${SYSROOT}`],
      ...[`--extra-cflags=${ARM_HEADERS.join(' ')}`, `--extra-ldflags=${ARM_LIBRARIES}`],
    ],
    ffmpeg: [
      ...['--enable-cross-compile', '--arch=aarch64', '--target-os=linux', `--sysroot=${SYSROOT}`],
      ...['--cross-prefix=aarch64-linux-gnu-', ...ARM_HEADERS.map((words) => `--extra-cflags=${words}`)],
      `--extra-ldflags=${ARM_LIBRARIES}`,
    ],
  },
  'win32-x64': {
    compiler: 'x86_64-w64-mingw32-gcc-win32',
    needs: ['gcc-mingw-w64-x86-64-win32', 'mingw-w64-x86-64-dev', 'nasm'],
    library: { package: 'mingw-w64-x86-64-dev', license: 'ZPL-2.1' },
    link: '-static -fstack-protector-strong -Wl,--no-insert-timestamp',
    x264: ['--host=x86_64-w64-mingw32', '--cross-prefix=x86_64-w64-mingw32-'],
    ffmpeg: [
      ...['--enable-cross-compile', '--arch=x86_64', '--target-os=mingw32'],
      '--cross-prefix=x86_64-w64-mingw32-',
    ],
    program: 'ffmpeg.exe',
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
  const { compiler, link, needs, library, program } = target;
  const parts = Object.entries(PARTS).map(([kind, names]) => `--enable-${kind}=${names.join(',')}`);
  return {
    compiler,
    needs: [...needs, 'dpkg-dev', 'make', 'pkg-config'],
    library,
    program,
    x264: [
      ...['--enable-static', '--enable-pic', '--enable-strip', '--disable-cli', '--disable-opencl'],
      ...['--bit-depth=8', '--chroma-format=420', '--libdir=../x264', '--includedir=../x264'],
      ...(target.x264 ?? []),
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
      ...(target.ffmpeg ?? []),
    ],
  };
}
