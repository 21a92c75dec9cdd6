import { type ReactNode, useState } from 'react';

interface Props {
  readonly title: ReactNode;
  readonly open?: boolean;
  readonly children: () => ReactNode;
}

/** Something under a title. It is in the page only while it is open: a long list has thousands of them, and hostile JSON is as deep as it likes. */
export function Fold({ title, open = false, children }: Props) {
  const [isOpen, setOpen] = useState(open);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
}
