import path from 'node:path';
import { getPackage } from '../get-package.mjs';
import { bin, run, startDaemon } from './processes.mjs';

const tool = 'state_gate.list_processes';

/** The Inspector's command line as a client, over stdio and HTTP, in both protocol eras. */
export async function runInspector(node) {
  const folder = getPackage('@modelcontextprotocol/inspector', '2.12.0');
  const inspector = path.join(folder, 'clients', 'launcher', 'build', 'index.js');
  const daemon = await startDaemon();
  const transports = {
    stdio: [process.execPath, bin, 'mcp'],
    http: [daemon.url, '--transport', 'http', '--header', `Authorization: Bearer ${daemon.token}`],
  };
  const groups = [];
  for (const [transport, target] of Object.entries(transports)) {
    for (const era of ['legacy', 'modern']) {
      const inspect = (...flags) =>
        run(node, [inspector, '--cli', ...target, '--protocol-era', era, '--format', 'json', ...flags]);
      const listed = await inspect('--method', 'tools/list');
      const called = await inspect('--method', 'tools/call', '--tool-name', tool);
      const failures = [...faults('tools/list', listed, lists), ...faults('tools/call', called, answers)];
      groups.push({ name: `inspector ${transport} ${era}`, passed: 2 - failures.length, failures });
    }
  }
  await daemon.stop();
  return groups;
}

function faults(method, { code, stdout, stderr }, isRight) {
  try {
    const output = JSON.parse(stdout);
    if (code === 0 && isRight(output.result ?? output)) return [];
  } catch {
    // Not JSON: reported below.
  }
  return [`${method} ended with ${code}: ${stdout.slice(0, 500)} ${stderr.slice(0, 500)}`];
}

function lists({ tools }) {
  return tools.some(({ name }) => name === tool);
}

function answers({ structuredContent, content, isError }) {
  const { processes } = structuredContent;
  return isError !== true && processes.length > 0 && content[0].text === JSON.stringify(structuredContent);
}
