/** A row of tabs by the pattern of the ARIA guide: arrows move, and what is focused is open. */

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly mark?: TabMark | undefined;
}

/** How much there is to look at in a tab: `{count: 2, words: 'to correct'}`. */
export interface TabMark {
  readonly kind: 'violation' | 'warning';
  readonly count: number;
  readonly words: string;
}

interface TabBarProps {
  /** Begins the ids: tab `NAME-ID` controls `NAME-panel`. */
  readonly name: string;
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly open: string;
  readonly onOpen: (id: string) => void;
}

export function TabBar({ name, label, tabs, open, onOpen }: TabBarProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === open);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    const next = tabs[(to + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onOpen(next.id);
    document.getElementById(`${name}-${next.id}`)?.focus();
  };
  return (
    <div class="tab-bar" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ id, title, mark }) => (
        <button
          key={id}
          id={`${name}-${id}`}
          type="button"
          role="tab"
          aria-selected={id === open}
          aria-controls={`${name}-panel`}
          tabIndex={id === open ? 0 : -1}
          onClick={() => onOpen(id)}
        >
          {title}
          {mark !== undefined && (
            <span class="count" data-kind={mark.kind} title={`${mark.count} ${mark.words}`}>
              {mark.count}
              <span class="spoken"> {mark.words}</span>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
