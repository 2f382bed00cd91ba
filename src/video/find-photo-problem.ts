/** Lets the command line check files before they are in a listing, by the rule that later accepts or drops them. */
export { findPhotoProblem } from '../media/assets/probe-photo.ts';
