/** Line icons of 20 px, in the color of the text. Decoration: the control that holds one has words. */

const PATHS = {
  play: 'M6 4.2v11.6L15.5 10z',
  stop: 'M5.5 5.5h9v9h-9z',
  pause: 'M6.5 4.5v11M13.5 4.5v11',
  sound: 'M3.5 8v4h2.8l3.7 3V5L6.3 8zM13 7.6a3.4 3.4 0 0 1 0 4.8M15.3 5.4a6.5 6.5 0 0 1 0 9.2',
  muted: 'M3.5 8v4h2.8l3.7 3V5L6.3 8zM13 8l4 4M17 8l-4 4',
  undo: 'M7 5 3.5 8.5 7 12M4 8.5h7.5a4 4 0 0 1 0 8H8.5',
  redo: 'M13 5l3.5 3.5L13 12M16 8.5H8.5a4 4 0 0 0 0 8h3',
  grip: 'M7.5 5h.01M12.5 5h.01M7.5 10h.01M12.5 10h.01M7.5 15h.01M12.5 15h.01',
  opening: 'M10 3.4l2 4.2 4.6.6-3.4 3.2.9 4.6-4.1-2.3L5.9 16l.9-4.6L3.4 8.200l4.6-.6z',
  out: 'M5 5l10 10M15 5 5 15',
  back: 'M10 4.500v11M4.5 10h11',
  up: 'M10 15.500v-11M5.5 9 10 4.5 14.5 9',
  down: 'M10 4.500v11M5.5 11l4.5 4.5 4.5-4.5',
  left: 'M15.5 10h-11M9 5.5 4.5 10 9 14.500',
  right: 'M4.5 10h11M11 5.500l4.500 4.500-4.500 4.500',
  add: 'M10 4v12M4 10h12',
  grid: 'M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z',
  focus: 'M10 2.5v4M10 13.5v4M2.5 10h4M13.5 10h4M10 7.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 1 1 0-5.6z',
  safe: 'M2.5 4h15v12h-15zM6 8.5V7.200h1.500M12.5 7.200H14v1.300M14 11.500v1.300h-1.500M7.5 12.800H6v-1.3',
  start: 'M5 4.500v11M15 4.800v10.400L7.8 10z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" data-icon={name}>
      <path d={PATHS[name]} />
    </svg>
  );
}
