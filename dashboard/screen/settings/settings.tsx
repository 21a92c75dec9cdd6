import { Head } from '../../component/head.tsx';
import { Panel } from '../../component/panel.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { People } from './people.tsx';
import { ProjectFacts } from './project-facts.tsx';
import { Sessions } from './sessions.tsx';
import { ThisBrowser } from './this-browser.tsx';

const texts = defineTexts({
  title: { en: 'Settings', ja: '設定' },
  about: {
    en: 'How this project is protected, who can approve, and settings of this browser.',
    ja: 'このプロジェクトの保護、承認できる人、このブラウザーの設定。',
  },
  browser: { en: 'This browser', ja: 'このブラウザー' },
  sessions: { en: 'Signed-in browsers', ja: 'サインイン中のブラウザー' },
  people: { en: 'People and their tokens', ja: '人とトークン' },
});

export default function Settings() {
  const t = useTexts(texts);
  return (
    <>
      <Head title={t.title} about={t.about} />
      <div className="columns wide-left">
        <div>
          <ProjectFacts />
        </div>
        <div>
          <Panel title={t.browser}>
            <ThisBrowser />
          </Panel>
          <Panel title={t.sessions}>
            <Sessions />
          </Panel>
          <Panel title={t.people}>
            <People />
          </Panel>
        </div>
      </div>
    </>
  );
}
