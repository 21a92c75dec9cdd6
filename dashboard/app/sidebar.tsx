import { useEffect } from 'react';
import { useLocation } from 'wouter';
import type { FeedState } from '../api/feed.ts';
import type { UserOutput } from '../api/operations.ts';
import { kinds, useOperation } from '../api/queries.ts';
import { To } from '../component/to.tsx';
import { screens } from '../screens.ts';
import { defineTexts, useTexts } from '../text/text.ts';
import { Account } from './account.tsx';
import { Connection } from './connection.tsx';
import { Icon } from './icon.tsx';
import { Mark } from './mark.tsx';
import { NewerVersion } from './newer-version.tsx';
import { useNotifications } from './notifications.ts';
import { PreferenceSwitches } from './preference-switches.tsx';
import { usePreferences } from './preferences.ts';
import { ProjectSwitch } from './project-switch.tsx';
import { useProject } from './project.tsx';

const texts = defineTexts({
  menu: { en: 'Menu', ja: 'メニュー' },
  skip: { en: 'Skip to the content', ja: '本文へ移動' },
  waiting: { en: (count: string) => `${count} waiting`, ja: (count) => `${count} 件が待っています` },
});

interface Props {
  readonly roots: UserOutput<'list_roots'>['roots'];
  readonly state: FeedState;
  readonly onSignedOut: () => void;
}

export function Sidebar({ roots, state, onSignedOut }: Props) {
  const t = useTexts(texts);
  const { lang } = usePreferences();
  const [path] = useLocation();
  const project = useProject();
  const waiting = useOperation('list_waiting', { limit: 50 }, kinds('run.'), { enabled: project !== '' });
  const length = waiting.data?.waiting.length ?? 0;
  const count = waiting.data?.next_cursor === undefined ? String(length) : `${length}+`;
  useEffect(() => {
    document.title = length === 0 ? 'Sekisho' : `(${count}) Sekisho`;
  }, [length, count]);
  // On phones the menu scrolls horizontally; keep the active item in view.
  useEffect(() => {
    document.querySelector('.sidebar nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path]);
  useNotifications(waiting.data?.waiting);
  return (
    <header className="sidebar">
      <a className="skip" href="#content">
        {t.skip}
      </a>
      <p className="brand">
        <Mark />
        <span>
          関所 <small>Sekisho</small>
        </span>
      </p>
      <ProjectSwitch roots={roots} />
      <nav aria-label={t.menu}>
        {screens.flatMap(({ path: to, menu }) =>
          menu === undefined ? (
            []
          ) : (
            <To key={to} href={to} current={isAt(path, to, menu.also)}>
              <Icon name={menu.icon} />
              {menu.text[lang]}
              {menu.counts === 'waiting' && length > 0 && (
                <span className="count" title={t.waiting(count)}>
                  {count}
                </span>
              )}
            </To>
          ),
        )}
      </nav>
      <div className="foot">
        <NewerVersion state={state} />
        <Connection state={state} />
        <PreferenceSwitches />
        <Account onSignedOut={onSignedOut} />
      </div>
    </header>
  );
}

function isAt(path: string, to: string, also: string | undefined): boolean {
  if (path === to || (also !== undefined && path.startsWith(also))) return true;
  return to !== '/' && path.startsWith(`${to}/`);
}
