import { type ReactNode, useState } from 'react';

interface Props {
  readonly title: ReactNode;
  readonly open?: boolean;
  readonly children: () => ReactNode;
}

/** A section that folds under its title. Its content is rendered only while it is open: lists may be long, and hostile JSON deep. */
export function Fold({ title, open = false, children }: Props) {
  const [isOpen, setOpen] = useState(open);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}
