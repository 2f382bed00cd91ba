/** A row of tabs by the pattern of the ARIA guide: arrows move, and what is focused is open. */

export interface Tab {
  readonly id: string;
  readonly title: string;
  /** Faults in it, shown as a number. */
  readonly count?: number;
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
      {tabs.map(({ id, title, count = 0 }) => (
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
          {count > 0 && (
            <span class="count" title={`${count} to correct`}>
              {count}
              <span class="spoken"> to correct</span>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
