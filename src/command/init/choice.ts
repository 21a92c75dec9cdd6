import { configure } from '../../app/configure.ts';
import type { Surroundings } from '../../config/load.ts';
import { defaultProcess } from '../../config/settings.ts';
import { listDefinitions } from '../../gate/definition/catalogue.ts';
import type { Client } from '../../setup/client.ts';
import { clientsOf, everyClient, isInstalled } from '../../setup/install.ts';
import type { Calling } from '../../setup/invocation.ts';
import { isPlugged } from '../../setup/inspect-setup.ts';
import { setupQuestion, toolsetHint } from '../../setup/setup-question.ts';
import { problem } from '../../kernel/problem.ts';
import type { Lang } from '../../kernel/text/text.ts';
import { type Toolset, isToolset, toolsets } from '../../kernel/toolset.ts';
import { sayAside } from '../../surface/terminal/print.ts';
import { type TestChoice, chooseTest } from './test-command.ts';
import { unknownChoice } from '../../kernel/setting.ts';

/** The settings that `init` prepares a project for. Undefined: the setting stays as it is. */
export interface Wishes {
  readonly clients: readonly Client[];
  readonly toolsets: readonly Toolset[] | undefined;
  readonly process: string | undefined;
  readonly test: TestChoice;
}

export interface WishSource {
  readonly given: {
    readonly client: unknown;
    readonly toolsets: unknown;
    readonly process: unknown;
    readonly test: unknown;
  };
  /** The existing configuration. */
  readonly configured: Readonly<Record<string, unknown>>;
  readonly calling: Calling;
  /** There is no configuration yet. An existing one is the team's: `init` adds only settings that were asked for. */
  readonly isNew: boolean;
  /** The clients that are already prepared here. */
  readonly prepared: readonly string[];
  readonly around: Surroundings;
  /** A language: ask a person in it for missing values. `defaults`: take defaults. Undefined: use given values only. */
  readonly by: Lang | 'defaults' | undefined;
}

/** The person has canceled. */
const stopped = Symbol('stopped');

/** Takes the settings from flags, defaults or questions; undefined where the person cancels. */
export async function chooseWishes(source: WishSource): Promise<Wishes | undefined> {
  const { given, configured, calling, isNew, by } = source;
  const clients = await chooseClients(source);
  if (clients === undefined) return undefined;
  const served = await chooseToolsets(source);
  if (served === stopped) return undefined;
  const process = await chooseProcess(source);
  if (process === stopped) return undefined;
  const test = await chooseTest({ given: given.test, configured: configured['test'], tree: calling.tree, isNew, by });
  return test === undefined ? undefined : { clients, toolsets: served, process, test };
}

async function chooseClients({ given, calling, prepared, by }: WishSource): Promise<readonly Client[] | undefined> {
  if (given.client !== undefined || by === undefined) return clientsOf(given.client);
  // A client with our plugin would ask twice.
  const found = everyClient.filter((one) => isInstalled(one, calling) && !isPlugged(one, calling));
  if (by === 'defaults') return found;
  const isPrepared = (one: Client) => prepared.includes(one.id);
  const offered = everyClient.filter((one) => found.includes(one) || isPrepared(one));
  const others = everyClient.filter((one) => !offered.includes(one) && !isPlugged(one, calling)).map((one) => one.id);
  if (offered.length === 0) {
    sayAside(`${setupQuestion.noClients({ others })(by)}\n`);
    return [];
  }
  const { chooseSeveral } = await import('../../surface/terminal/choose.ts');
  const hint = setupQuestion.prepared()(by);
  const choices = offered.map((one) => ({ value: one.id, hint: isPrepared(one) ? hint : undefined }));
  const before = prepared.length > 0 ? prepared : found.map((one) => one.id);
  const chosen = await chooseSeveral(setupQuestion.clients({ others })(by), choices, before);
  return chosen === undefined ? undefined : clientsOf(chosen);
}

/** Only the gate by default, because every tool costs tokens in each conversation. */
const fewest: readonly Toolset[] = ['gate'];

async function chooseToolsets({
  given,
  isNew,
  by,
}: WishSource): Promise<readonly Toolset[] | undefined | typeof stopped> {
  if (typeof given.toolsets === 'string') return toolsetsOf(given.toolsets);
  if (!isNew) return undefined;
  if (by === undefined || by === 'defaults') return fewest;
  const { chooseSeveral } = await import('../../surface/terminal/choose.ts');
  const choices = Object.entries(toolsetHint).map(([value, hint]) => ({ value, hint: hint()(by) }));
  const chosen = await chooseSeveral(setupQuestion.toolsets()(by), choices, fewest);
  if (chosen === undefined) return stopped;
  return chosen.length === 0 ? fewest : chosen.filter(isToolset);
}

function toolsetsOf(given: string): readonly Toolset[] {
  if (given === 'all') return toolsets;
  const words = given.split(',').map((one) => one.trim());
  const unknown = words.find((one) => !isToolset(one));
  if (unknown === undefined) return words.filter(isToolset);
  throw problem.BAD_CONFIGURATION({ file: '--toolsets', reason: unknownChoice(unknown, toolsets) });
}

async function chooseProcess(source: WishSource): Promise<string | undefined | typeof stopped> {
  const { given, isNew, by } = source;
  if (typeof given.process === 'string') {
    const known = await processesOf(source);
    if (known.some((one) => one.value === given.process)) return given.process;
    const reason = unknownChoice(
      given.process,
      known.map((one) => one.value),
    );
    throw problem.BAD_CONFIGURATION({ file: '--process', reason });
  }
  if (by === undefined || by === 'defaults' || !isNew) return undefined;
  const { chooseOne } = await import('../../surface/terminal/choose.ts');
  const chosen = await chooseOne(setupQuestion.process()(by), await processesOf(source), defaultProcess);
  return chosen ?? stopped;
}

async function processesOf({ around, calling }: WishSource) {
  const config = await configure({ project: calling.tree }, around);
  const found = (await listDefinitions(config)).flatMap(({ definition }) => definition ?? []);
  return found.map(({ id, description }) => ({ value: id, hint: description.split('\n')[0] }));
}
