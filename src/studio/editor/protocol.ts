/**
 * What the studio's page and its server say to each other, as JSON. Types only: page and server both import this file.
 *
 *     GET  /api/state                          -> StudioState
 *     GET  /api/events?page=NAME               SSE: `state` with a StateChange, `ping` every 20 s
 *     POST /api/goodbye?page=NAME              a person closes the page that has this name
 *     GET  /api/session                        -> SessionChallenge, without the cookie too
 *     POST /api/session   SessionProof         -> SessionChallenge and the cookie; 403 for a wrong proof
 *     POST /api/tickets   TicketRequest        -> TicketAnswer, without the cookie too; 403
 *     POST /api/edits     EditRequest          -> StudioState; 409 with the StudioState when the patch does not apply
 *     POST /api/undo, /api/redo                -> StudioState
 *     POST /api/conflict  ConflictAnswer       -> StudioState
 *     POST /api/left-out/more                  -> StudioState: with more photos that are left out
 *     POST /api/files?name=kitchen.jpg&for=photo|portrait|logo|music   bytes -> AddedFile; 422 Problem
 *     GET  /api/thumbnails/:digest             -> image/jpeg, longer side 320 px; with `size=large` 960 px
 *     GET  /api/frames/:plan/:index?width=960  -> image/jpeg; `format=png` without width: the full frame. 404: the plan
 * is gone
 *     GET  /api/audio/:plan                    -> audio/wav: the soundtrack of that video, with ranges
 *     GET  /api/music/:id                      -> audio of one music choice, with ranges
 *     GET  /api/templates/:id/still?ratio=1920:1080 -> image/jpeg, longer side 480 px
 *     POST /api/renders   RenderRequest        -> StudioState; 409 Problem while another render runs
 *     DELETE /api/renders/current              -> StudioState: cancels it, or forgets one that was interrupted
 *     POST /api/shapes    ShapesRequest        -> StudioState
 *     POST /api/places    PlacesRequest        -> StudioState
 *     GET  /api/results/:name                  -> a finished MP4, GIF or JPEG, with ranges
 *     POST /api/results/:name/show             -> StudioState: opens its folder on the desktop
 *
 * The address that the command prints carries a token. Its request sets the cookie `studio-PORT` and redirects to `/`.
 * Every other request but those of `/api/session` and `/api/tickets` needs the cookie, and all need a Host of this server; all but GET and
 * HEAD also need its Origin. Errors without another type above are a {@link Problem}.
 */
import type { AspectRatio } from '../../listing/listing.ts';
import type { DestinationName } from '../../video/destinations/destination-table.ts';
import type { StageImage, StageState } from '../../video/stage/stage-state.ts';

export type {
  StageImage as StudioImage,
  StageLayer as StudioDataLayer,
  StagePhoto as StudioPhoto,
  StageScene as StudioScene,
  StageSoundtrack as MusicChoice,
  StageTemplate as StudioTemplate,
  StageVideo as StudioVideo,
  StageWarning as StudioWarning,
} from '../../video/stage/stage-state.ts';

/** Keys and array indexes from the root of the listing: `['agents', 0, 'emails', 0, 'address']`. */
export type ListingPath = readonly (string | number)[];

export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

export interface EditRequest {
  /** Of the state that the patch was made for. An older revision is accepted while the patch still applies. */
  readonly revision: number;
  /**
   * Says what the edit does, for undo: `Move photo`. Edits that follow each other within 2 s, have one label and put a
   * text or number in the same places, or remove it there, become one step.
   */
  readonly label: string;
  readonly patch: readonly PatchOperation[];
}

/**
 * How a page that was open comes back to a later studio of its listing. Whoever listens at the address meanwhile learns
 * nothing: the cookie is that of one process, and the proof is for one challenge and one address.
 */
export interface SessionChallenge {
  /** Of this process. */
  readonly challenge: string;
  /** Base64url, of 32 bytes; only with the cookie. The same for each studio of the listing. */
  readonly key?: string;
}

export interface SessionProof {
  /** Base64url of the HMAC with SHA-256 by the key, of the challenge, a blank and `127.0.0.1:PORT`. */
  readonly proof: string;
}

/** Of another process of this user, which has the key. */
export interface TicketRequest {
  /** As for `/api/session`. */
  readonly proof: string;
  readonly nonce: string;
}

export interface TicketAnswer {
  /** Opens the page once. */
  readonly ticket: string;
  /** That this server has the key, too. */
  readonly proof: string;
}

/**
 * `mine` keeps what the studio has, `theirs` reloads the file. `before` takes back that it was reloaded, if that is the
 * last step. The other version is kept beside the file.
 */
export interface ConflictAnswer {
  readonly keep: 'mine' | 'theirs' | 'before';
}

/** What a file is dropped in for: it decides how the file is checked. */
export type FilePurpose = 'photo' | 'portrait' | 'logo' | 'music';

export interface AddedFile {
  /** For the listing: the path of the copy, relative to the listing file. The page then sends the edit. */
  readonly url: string;
}

export interface RenderRequest {
  /** Ids. Absent: all agents. */
  readonly agents?: readonly string[];
  /** Absent: the ratio of each agent, and of each place where an agent has none. */
  readonly ratios?: readonly AspectRatio[];
  /** Absent: none. */
  readonly destinations?: readonly DestinationName[];
}

/** `own`: the ratio of each agent. */
export type RatioChoice = 'own' | AspectRatio | 'both';

/** What the next render makes, remembered for the listing. */
export interface ShapesRequest {
  readonly shapes: RatioChoice;
}

/** Where the videos go, remembered for the listing. */
export interface PlacesRequest {
  readonly places: readonly DestinationName[];
}

export interface Problem {
  readonly code: string;
  /** For people: what is wrong and what to do. */
  readonly message: string;
}

/** The top-level fields that changed. */
export type StateChange = Partial<StudioState>;

export interface StudioState extends Omit<StageState, 'left_out'> {
  /** Of the studio process. Another one counts its revisions anew. */
  readonly run: string;
  /** Rises with every change of the listing. */
  readonly revision: number;
  /** Absolute paths, only shown. */
  readonly file: { readonly path: string; readonly folder: string };
  /** Address of the page of all listings, if that opened this studio. */
  readonly all_listings: string | null;
  /** As in the file, unknown fields too. It can break every rule. */
  readonly listing: Readonly<Record<string, unknown>>;
  /** Label of the step that undo takes back; null: there is none. */
  readonly undo: string | null;
  readonly redo: string | null;
  /** In the words of `validate`, but for what a form needs no quotes or brackets. */
  readonly violations: readonly StudioViolation[];
  /** Phone numbers that the videos write in another way than the listing. */
  readonly phones: readonly ShownPhone[];
  /**
   * The file was changed by another program, and the listing here is not saved: the person says which version to keep.
   */
  readonly conflict: boolean;
  /** When a change of the file by another program was last taken over; null: not since the start. */
  readonly reloaded: string | null;
  /** Files beside the listing with versions that were given up since the start, the latest last. */
  readonly kept: readonly string[];
  /** `failed`: edits are kept in memory and saved when the file can be written again. */
  readonly save: { readonly state: 'saved' | 'failed'; readonly message: string | null };
  /** The photo that the studio made the opening because it looks like the outside by day; null: it moved none. */
  readonly guessed_opening: GuessedOpening | null;
  /** Photos that an edit removed from `listing.assets`, newest first. An edit that adds `asset` brings one back. */
  readonly left_out: readonly LeftOutPhoto[];
  /** How many photos are left out beyond those of `left_out`. */
  readonly left_out_more: number;
  /** How many photos of the folder that the listing was just made of it has no place for. 0 for every other listing. */
  readonly not_taken: number;
  /** Files of the folder that the listing was just made of that are no photos. Empty for every other listing. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  /** The latest render since the start, or one that the end of the studio interrupted; null: none yet. */
  readonly render: StudioRender | null;
  /** What the person chose to render; null: nothing yet. */
  readonly shapes: RatioChoice | null;
  /** Where the videos go, in the order of the table. */
  readonly places: readonly DestinationName[];
  /** The videos in the output folder of the listing. */
  readonly results: StudioResults;
}

export interface GuessedOpening {
  readonly url: string;
  /** Its place before, an index into `listing.assets`. */
  readonly from: number;
}

export interface StudioViolation {
  readonly path: ListingPath;
  readonly message: string;
}

export interface ShownPhone {
  readonly path: ListingPath;
  /** As in the videos: `(503) 555-0142`. */
  readonly text: string;
}

export interface LeftOutPhoto extends StageImage {
  /** The whole item as it was in `listing.assets`, with its caption. */
  readonly asset: Readonly<Record<string, unknown>>;
}

export interface StudioRender {
  readonly state: 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  /** What was asked for. */
  readonly request: RenderRequest;
  readonly percent: number;
  readonly stage: string | null;
  readonly eta_seconds: number | null;
  /** Why it failed. */
  readonly message: string | null;
}

export interface StudioResults {
  /** Absolute path of the output folder; null while the listing has no id. It need not exist. */
  readonly folder: string | null;
  /** Whether this machine has a desktop that can show a folder. */
  readonly can_show: boolean;
  /** In the order of the agents; those without branding, and of agents who left, at the end. */
  readonly videos: readonly MadeVideo[];
}

export interface MadeVideo extends MadeFile {
  /** Null: a video without branding. */
  readonly agent_id: string | null;
  /** As it was when the video was made. */
  readonly agent_name: string | null;
  /** The listing has this agent no more. */
  readonly has_agent_left: boolean;
  readonly ratio: AspectRatio;
  readonly template_id: string;
  /** The command line chose it, not the listing. `findChosenTemplates` says which of these a render makes again. */
  readonly has_chosen_template: boolean;
  readonly is_draft: boolean;
  /** Places that it was made for. */
  readonly places: readonly DestinationName[];
  /** It has its places in its name: only a render for them makes it again. */
  readonly is_named_for_places: boolean;
  /** `fits YouTube; not Google Business: 44 s, at most 30 s`; empty without places. */
  readonly fits: string;
  /** Absolute path. */
  readonly path: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly made_at: string;
  readonly poster: MadeFile | null;
  readonly preview: MadeFile | null;
  /** What the listing says in another way since, in words: `price`, `phone of Ann Lee`. Null: it is not known. */
  readonly changes: readonly string[] | null;
}

export interface MadeFile {
  /** In the output folder. */
  readonly name: string;
  /** With the address of the house, which in the output folder only the folder has. */
  readonly download_name: string;
  /** Path on this server. */
  readonly url: string;
}
