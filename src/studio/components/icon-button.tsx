/** A button that shows an icon only. Its name is spoken, and shown when the pointer rests on it. */
import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly keys?: string;
  readonly isPressed?: boolean;
  /** Stays in the order of focus, so that focus is not lost when it becomes disabled. */
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

export function IconButton({ icon, label, keys, isPressed, isDisabled = false, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={keys === undefined ? label : `${label} (${keys})`}
      {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
      {...(isDisabled ? { 'aria-disabled': true } : {})}
      onClick={() => {
        if (!isDisabled) onClick();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}
