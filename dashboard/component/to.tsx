import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAddress } from '../app/address.ts';

interface Props {
  readonly href: string;
  readonly children: ReactNode;
  readonly current?: boolean;
  readonly className?: string;
  /** Whether `j` and `k` stop at this link. */
  readonly row?: boolean;
}

/** A link to a screen of the same project. */
export function To({ href, children, current, className, row }: Props) {
  const address = useAddress();
  return (
    <Link
      href={address(href)}
      {...(className !== undefined && { className })}
      {...(current === true && { 'aria-current': 'page' as const })}
      {...(row === true && { 'data-row': '' })}
    >
      {children}
    </Link>
  );
}
