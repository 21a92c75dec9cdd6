import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../component/dialog.tsx';
import { screens } from '../screens.ts';
import { defineTexts, useTexts } from '../text/text.ts';
import { useGo } from './address.ts';
import { usePreferences } from './preferences.ts';

const texts = defineTexts({
  title: { en: 'Keys', ja: 'キー操作' },
  go: { en: (screen: string) => `Go to ${screen}`, ja: (screen) => `${screen}へ移動` },
  help: { en: 'Show this list', ja: 'この一覧を表示' },
  filter: { en: 'Filter', ja: '絞り込み' },
  rows: { en: 'Next, previous row', ja: '次の行、前の行' },
  close: { en: 'Close', ja: '閉じる' },
});

const menu = screens.flatMap(({ path, menu: item }) => (item === undefined ? [] : [{ path, ...item }]));

/** Keyboard shortcuts: `g` and a letter opens a screen, `?` shows the keys, `/` focuses the filter, `j` and `k` move through rows. */
export function Keys() {
  const t = useTexts(texts);
  const { lang } = usePreferences();
  const go = useGo();
  const [shown, setShown] = useState(false);
  const armed = useRef(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const target = armed.current ? menu.find((one) => one.key === event.key) : undefined;
      armed.current = event.key === 'g' && !armed.current;
      if (target !== undefined) go(target.path);
      else if (event.key === '?') setShown(true);
      else if (event.key === '/') focus(document.querySelector('[data-filter]'), event);
      else if (event.key === 'j' || event.key === 'k') focus(nextRow(event.key === 'j' ? 1 : -1), event);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [go]);
  if (!shown) return null;
  return (
    <Dialog title={t.title} onClose={() => setShown(false)}>
      <dl className="key-list">
        {menu.map(({ path, key, text }) => (
          <div key={path}>
            <dt>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>{t.go(text[lang])}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>j</kbd> <kbd>k</kbd>
          </dt>
          <dd>{t.rows}</dd>
        </div>
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>{t.filter}</dd>
        </div>
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>{t.help}</dd>
        </div>
      </dl>
      <div className="actions">
        <button type="button" onClick={() => setShown(false)}>
          {t.close}
        </button>
      </div>
    </Dialog>
  );
}

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, dialog, [contenteditable]') !== null;
}

function focus(element: Element | null | undefined, event: KeyboardEvent): void {
  if (!(element instanceof HTMLElement)) return;
  event.preventDefault();
  element.focus();
}

function nextRow(step: number): Element | undefined {
  const rows = [...document.querySelectorAll('[data-row]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  return rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
}
