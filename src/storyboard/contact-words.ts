/** Texts that tell how to reach somebody; a film without branding says none. Pure. */

/** Seven digits and more, however they are grouped; commas group amounts, not phone numbers. */
const PHONE = /(?:\+|\(|\b)\p{Nd}(?:[\s().\-–/]*\p{Nd}){6,}/u;
const ADDRESS =
  /@|https?:\/\/|www\.|\b[\p{L}\p{Nd}-]+\.(?:com|net|org|info|biz|io|co|us|realtor|homes|house|realestate)\b/iu;

export function namesContact(text: string): boolean {
  return ADDRESS.test(text) || PHONE.test(text);
}
