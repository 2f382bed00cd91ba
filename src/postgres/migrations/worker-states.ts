/** Migration 7: what a pool of workers does, and its program. Programs before it write neither. */
export const WORKER_STATES = `
alter table listing_video.worker_pools
  add column version text not null default '',
  add column state text not null default 'working';
`;
