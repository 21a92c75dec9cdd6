import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { callApi, makeWaiting, signIn } from '../e2e/dashboard-world.ts';
import { fixtures, running, start, status, steps } from '../e2e/fleet-world.ts';
import { requires } from '../e2e/requirements.ts';
import { configure, fixture } from '../e2e/upstream-fixture.ts';
import { openOffice } from '../e2e/work-world.ts';
import { type World, inOneWorld, node } from '../e2e/world.ts';
import { type Visitor, visit } from './browser.ts';
import { lookAtDialog, prefer } from './look.ts';

/** A person who reads Japanese, at work. */
interface Desk {
  readonly world: World;
  readonly visitor: Visitor;
  readonly page: Page;
  readonly dialog: Locator;
  press(name: string, at?: Page | Locator): Promise<void>;
  /** Looks at the dialog that is open; `name` is its file in `dashboard/screen/`. */
  look(name: string): Promise<void>;
  dismiss(): Promise<void>;
}

function deskOf(world: World, visitor: Visitor): Desk {
  const { page } = visitor;
  const dialog = page.getByRole('dialog');
  return {
    world,
    visitor,
    page,
    dialog,
    press: (name, at = page) => at.getByRole('button', { name, exact: true }).click(),
    async look(name) {
      await dialog.waitFor();
      await dialog.locator('.loading').waitFor({ state: 'detached' });
      expect(await dialog.innerText(), name).toMatch(/[ぁ-んァ-ン一-龯]/);
      await lookAtDialog(visitor);
    },
    async dismiss() {
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    },
  };
}

/** The screens' own tests do the same on SQLite and in English. */
inOneWorld('http', 'postgres', (test) => {
  test(requires('dashboard.page.decisions'), { timeout: 180_000 }, async ({ world }) => {
    const scripted = { id: 'scripted', cli: 'command', command: [node, join(fixtures, 'scripted.mjs')] };
    configure(world, { penpot: { command: fixture('plain'), skill: 'penpot' } }, { roles: [scripted] });
    const visitor = await visit(world);
    await prefer(visitor.page, 'light', 'ja');
    const desk = deskOf(world, visitor);
    await answer(desk);
    await assign(desk);
    await moveOnBoard(desk);
    await changeRole(desk);
    await publishPrompt(desk);
    await activate(desk);
    await endSession(desk);
    await visitor.leave();
  });
});

async function answer({ world, visitor, page, dialog, press, look, dismiss }: Desk): Promise<void> {
  const [first, second] = [await makeWaiting(world, 'One.\n'), await makeWaiting(world, 'Two.\n')];
  const stateOf = async (run: string) =>
    (await world.call('state_gate.get_state', { run_id: run })).value['current_state'] as string;
  await visitor.go('/');
  await press('Note (review) 2 件をまとめて…');
  await look('inbox/batch-dialog');
  await dismiss();
  await visitor.go(`/approvals/${first}`);
  await press('差し戻し');
  await look('approval/decision-dialog');
  await dialog.getByRole('textbox').fill('もっと詳しく');
  await press('差し戻す', dialog);
  await page.waitForURL((at) => at.pathname === `/runs/${first}`);
  expect(await stateOf(first)).toBe('write');
  await visitor.go(`/approvals/${second}`);
  await press('承認');
  await look('approval/decision-dialog');
  await press('承認する', dialog);
  await page.waitForURL((at) => at.pathname === `/runs/${second}`);
  expect(await stateOf(second)).toBe('done');
  await visitor.go('/runs');
  await press('新しい run');
  await look('runs/new-run-dialog');
  await dialog.getByLabel('プロセス').selectOption('exploration');
  await press('開始', dialog);
  await page.waitForURL((at) => at.pathname.startsWith('/runs/run-'));
  await page
    .getByRole('button', { name: /を送る$/ })
    .first()
    .click();
  await look('run/emit-dialog');
  await dismiss();
  await press('中止');
  await look('run/abort-dialog');
  await dialog.getByRole('textbox').fill('不要になった');
  await press('中止する', dialog);
  await page.getByText('この run は中止されました').waitFor();
  await page.keyboard.press('?');
  await look('keys');
  await dismiss();
}

async function assign({ world, visitor, page, dialog, press, look }: Desk): Promise<void> {
  const office = await openOffice(world);
  const shop = await office.project('店');
  const ann = await office.agent('花子');
  await visitor.go(`/work/projects/${shop}`);
  await press('エージェントを割り当てる');
  await look('project/assign-dialog');
  await press('割り当てる', dialog);
  await page.getByRole('link', { name: '花子' }).click();
  await press('新しいパスキー');
  await look('identity');
  await press('新しいパスキー', dialog);
  await dialog.getByText('今すぐ保存してください').waitFor();
  await look('identity');
  const passkey = (await dialog.locator('code').textContent()) ?? '';
  await press('閉じる', dialog);
  expect(await office.login({ id: ann.id, passkey }, shop)).toEqual(expect.any(String));
}

async function moveOnBoard({ world, visitor, page, dialog, press, look, dismiss }: Desk): Promise<void> {
  const office = await openOffice(world);
  const shop = await office.project('倉庫');
  const task = await office.task(shop, '棚卸し', 'todo');
  await visitor.go('/board');
  await press('新しいタスク');
  await look('board/task-dialog');
  await dismiss();
  await press('棚卸し を移動');
  await dialog.getByLabel('移動先').selectOption('in_progress');
  await look('board/move-dialog');
  await press('移動', dialog);
  await page.getByRole('region', { name: '進行中', exact: true }).getByRole('link', { name: '棚卸し' }).waitFor();
  expect((await office.read(task))['status']).toBe('in_progress');
  await visitor.go(`/tasks/${task}`);
  await press('削除');
  await look('task/delete-dialog');
  await press('削除', dialog);
  await page.waitForURL((at) => at.pathname === '/board');
}

async function changeRole({ world, visitor, page, dialog, press, look, dismiss }: Desk): Promise<void> {
  const [agent = ''] = await start(world, 'scripted', steps({ sleep: 60_000 }));
  await running(world, agent);
  await visitor.go(`/fleet/agents/${agent}`);
  await press('中止');
  await look('agent/cancel-dialog');
  await press('中止する', dialog);
  await expect.poll(async () => (await status(world, agent))['status']).toBe('cancelled');
  await visitor.go('/fleet');
  await press('ロール');
  await press('編集 scripted');
  await dialog.getByLabel('名前').fill('台本');
  await look('fleet/role-dialog');
  await press('保存', dialog);
  await look('inbox/trust-dialog');
  await press('この内容を信頼する', dialog);
  await page.getByRole('table', { name: 'ロール' }).getByText('台本').waitFor();
  await press('編集 scripted');
  await press('ロールを削除…', dialog);
  await dialog.getByText('取り除きます').waitFor();
  await look('fleet/delete-role-dialog');
  await dismiss();
}

async function publishPrompt({ visitor, page, dialog, press, look }: Desk): Promise<void> {
  await visitor.go('/prompt-library');
  await press('プロンプトを公開');
  await dialog.getByLabel('名前').fill('greeting');
  await dialog.getByRole('textbox', { name: '本文' }).fill('おはようございます。\n');
  await look('prompt/publish-dialog');
  await press('公開', dialog);
  await page.waitForURL((at) => at.pathname === '/prompt-library/greeting');
  await press('新しいバージョン');
  await dialog.getByRole('textbox', { name: '本文' }).fill('こんばんは。\n');
  await press('公開', dialog);
  await page.getByText('production → 2').waitFor();
  await press('ロールバック');
  await look('prompt/move-dialog');
  await press('ラベルを移動', dialog);
  await page.getByText('production → 1').waitFor();
  await press('取り下げ');
  await look('prompt/withdraw-dialog');
  await press('外す', dialog);
  await page.getByText('production → 1').waitFor({ state: 'detached' });
}

async function activate({ visitor, dialog, press, look, dismiss }: Desk): Promise<void> {
  await visitor.go('/upstreams/penpot');
  await press('有効化');
  await look('upstream/activate-dialog');
  await press('有効化', dialog);
  await dialog.getByText('接続しました: plain-fixture 1.2.3').waitFor();
  await dismiss();
}

async function endSession({ world, visitor, page, dialog, press, look }: Desk): Promise<void> {
  await world.person(['admin', 'add-person', 'ann', '--json']);
  const ann = await signIn(world, ['--person', 'ann']);
  await visitor.go('/settings');
  await page.getByText('ほかの承認者: ann').waitFor();
  // One's own has no such button.
  await press('無効にする', page.getByRole('region', { name: 'サインイン中のブラウザー' }));
  await look('settings/revoke-dialog');
  await press('無効にする', dialog);
  await expect.poll(async () => (await callApi(ann, 'get_session')).status).toBe(401);
}
