export function isSrgbProfile(_icc: Uint8Array): boolean {
  return false;
}
