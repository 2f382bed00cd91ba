/**
 * The SHA-256 of the ffmpeg that comes with npm, for each platform: taken from the packages that package-lock.json
 * names. A binary that was changed after it was published, or another version of the package, is not run.
 */

/** Digest (hex) by `<platform>-<architecture>` of Node, for `@ffmpeg-installer/ffmpeg` 1.1.0. */
export const CARRIED_DIGESTS: Readonly<Record<string, string>> = {
  'darwin-arm64': 'a2ad6f0fc42a3c8f5183ef1d53e906d6bb35478d14a6b67175c30ce6c17e9214',
  'darwin-x64': '69bddbabda0d4fbedf98fb01b6f964ee1c8346987ef7f6e70055b95339a78b17',
  'linux-arm': 'a3ff69b5959ed713e3316dbe2ad5b219e230312d7092339ac0be7e20d35dd2ee',
  'linux-arm64': '115a825e246078acf820ea2afcaf1b3ff87f1b93f7035ecad38d3223cca55297',
  'linux-ia32': '885628c27d97f5a7a74d2e8184d799ec7f1ef963b3fa755070f2cbfa28712e12',
  'linux-x64': '6d0c625dbd3f604ed2618981ba6fee7e29678855ab741d654cfc9effb0226624',
  'win32-ia32': '2d07c49c4b3a77e69cff16605411d3be14aec709ac96797f2206dc856d657700',
  'win32-x64': 'c8abc49e7be62dde8e12972af373959e0076a7b8dc8040eb45978e0608f8781e',
};
