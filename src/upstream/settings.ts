import { type Configured, defineSettings, flag, path, structure, text, word } from '../kernel/setting.ts';
import type { UpstreamSettings } from './settings-schema.ts';

export type { UpstreamSettings };

/** One upstream without a file, from the flags and variables of the proxy that this module follows. */
const proxy = {
  upstream: text({
    env: 'MCP_UPSTREAM',
    flag: 'upstream',
    inFile: false,
    pattern: /^https?:\/\/./,
    what: { en: 'a URL', ja: 'URL ' },
  }),
  name: word('upstream', {
    env: 'MCP_NAME',
    flag: 'name',
    inFile: false,
    pattern: /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_)){0,31}$/,
    what: {
      en: 'a name of at most 32 characters: letters, digits, - and _',
      ja: '英数字、-、_ からなる 32 文字以内の名前',
    },
  }),
  /** A person calls the skill `penpot` as `/penpot`. */
  skill: text({ env: 'MCP_SKILL', flag: 'skill', inFile: false }),
  tools: word('*', { env: 'MCP_TOOLS', flag: 'tools', inFile: false }),
  initScript: path({ env: 'MCP_INIT_SCRIPT', flag: 'initScript', inFile: false }),
  initTool: word('execute_code', { env: 'MCP_INIT_TOOL', flag: 'initTool', inFile: false }),
  noInit: flag(false, { env: 'MCP_NO_INIT', flag: 'noInit', inFile: false }),
};

export const settings = defineSettings({
  upstreams: structure<readonly UpstreamSettings[]>(
    [],
    async () => (await import('./settings-schema.ts')).upstreamsSchema,
  ),
  proxy,
});

/** Returns the upstreams; one named by a flag or a variable takes precedence over the file. */
export function upstreamsOf(host: { readonly settings: Configured }): readonly UpstreamSettings[] {
  const { upstreams, proxy: given } = settings.of(host);
  const { upstream: url, name, initScript, initTool, noInit } = given;
  if (url === undefined) return upstreams;
  const skill = given.skill?.replace(/^\//, '');
  const gated = skill !== undefined;
  return [
    {
      name,
      url,
      headers: {},
      env: {},
      skill,
      init: initScript === undefined || noInit ? undefined : { tool: initTool, argument: 'code', script: initScript },
      tools: given.tools === '*' ? undefined : given.tools.split(',').map((one) => one.trim()),
      reconnect: gated ? 'manual' : 'auto',
      journal: 'calls',
      gated,
    },
  ];
}
