import { useEffect, useRef } from 'react';
import type { Output } from '../api/operations.ts';
import { usePreferences } from './preferences.ts';

type Waiting = Output<'list_waiting'>['waiting'];

/** Sends a browser notification when a run begins to wait while the page is hidden. Runs that waited before are skipped. */
export function useNotifications(waiting: Waiting | undefined): void {
  const { notifies } = usePreferences();
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (waiting === undefined) return;
    const before = known.current;
    known.current = new Set(waiting.map((one) => one.run_id));
    if (before === undefined || !notifies || !document.hidden || Notification.permission !== 'granted') return;
    for (const one of waiting.filter(({ run_id: id }) => !before.has(id))) {
      // With several tabs open, notifications with the same tag are shown once.
      const shown = new Notification(one.process_name, { body: one.title ?? one.state, tag: one.run_id });
      shown.addEventListener('click', () => window.focus());
    }
  }, [waiting, notifies]);
}
