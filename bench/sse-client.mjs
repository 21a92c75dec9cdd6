import http from 'node:http';
import { post } from './http-client.mjs';
import { answerOf, hello, resultOf } from './stdio-client.mjs';

/** HTTP with SSE: answers come on one stream that stays open. */
export async function openSse({ url }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  const waiting = new Map();
  let ids = 0;
  let stream;
  const endpoint = await new Promise((resolve, reject) => {
    stream = http.get(`${url}/mcp`, { headers: { Accept: 'text/event-stream' }, agent: false }, (response) => {
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (data) => {
        const events = (rest + data).split('\n\n');
        rest = events.pop();
        for (const event of events) {
          const payload = /^data: (.*)$/m.exec(event)?.[1];
          if (payload === undefined) continue;
          if (/^event: endpoint$/m.test(event)) resolve(new URL(payload, url).href);
          else {
            const message = JSON.parse(payload);
            waiting.get(message.id)?.(message);
            waiting.delete(message.id);
          }
        }
      });
    });
    stream.on('error', reject);
  });

  async function request(method, params) {
    ids += 1;
    const id = ids;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    await post(endpoint, { jsonrpc: '2.0', id, method, params }, agent, {});
    return resultOf(await answer);
  }

  await request('initialize', hello);
  await post(endpoint, { jsonrpc: '2.0', method: 'notifications/initialized' }, agent, {});
  return {
    request,
    call: async (name, input = {}) => answerOf(name, await request('tools/call', { name, arguments: input })),
    close() {
      stream.destroy();
      agent.destroy();
    },
  };
}
