/** Which files of the program and of its packages are of no use in a package that only runs. Licenses stay. */

/** Of every package, and of the program itself. */
const ANYWHERE = [
  // Maps and types.
  /\.map$/,
  /\.d\.[cm]?ts$/,
  // For readers of the code. npm installs what the tests need, though they are left out.
  /^(?:src|test|\.github\/(?:actions|CONTRIBUTING\.md|readme-video\.webp))$/,
];

/** Of packages below `node_modules`. */
const OF_PACKAGES = [
  // Texts that are no license, and scripts that nobody starts.
  /(?:^|\/)(?!licen[cs]e|notice|copying|authors|patents)[^/]*\.(?:md|markdown)$/i,
  /(?:^|\/)(?:tests?|docs?|examples?|example\.js|\.github|\.travis\.yml|\.npmignore|tsconfig\.json)$/,
  /(?:\.flow|\.[cm]?ts|\.ts~|\.js~|\.h)$/,
  /(?:^|\/)@types$/,
  // What its library was compiled of.
  /^sharp\/src$/,
  // Builds for other loaders: see libheif.ts.
  /^libheif-js\/(?:libheif\/libheif\.js|libheif-wasm\/libheif-bundle\.m?js)$/,
  /^harfbuzzjs\/dist\/harfbuzz-subset\.wasm$/,
  /^hono\/dist\/cjs$/,
];

/** @param {string} name - Path from the folder of the program. */
export function isNeedless(name) {
  const file = name.replaceAll('\\', '/');
  if (ANYWHERE.some((pattern) => pattern.test(file))) return true;
  const inPackages = /^node_modules\/(.*)$/.exec(file)?.[1];
  return inPackages !== undefined && OF_PACKAGES.some((pattern) => pattern.test(inPackages));
}
